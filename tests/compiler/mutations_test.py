# SPDX-License-Identifier: Apache-2.0
"""No program makes sode cc crash, hang or refuse without a word: mutations_test.py REWRITER MANY_RUNS PROGRAMS INCLUDE [COUNT [SEED]]. Words of
directives and of the code around them are dropped, doubled, swapped and replaced. MANY_RUNS: the library of many_runs.c."""
import concurrent.futures
import os
import pathlib
import queue
import random
import re
import signal
import subprocess
import sys
import tempfile

WORD = re.compile(r"\w+|\s+|[^\w\s]")
SPICE = ["(", ")", "[", "]", ":", ",", "*", "::", "on", "onto", "with", "reduction", "+", "-1", "0", "t", "p", "a", "i", "1:2", "/", "periodic", "{", "}",
         ";", "#pragma xmp ", "gmove", "loop", "task", "cyclic", "gblock", "\\\n", "=", "xmp_desc_of(", "?", "\"", "'", "static ", "struct ", "\n"]


def mutate(text, chance):
    words = WORD.findall(text)
    pragmas = [k for k, w in enumerate(words) if w == "xmp"]
    for _ in range(chance.randint(1, 4)):
        near = chance.choice(pragmas) + chance.randint(1, 25) if pragmas and chance.random() < 0.8 else chance.randrange(len(words))
        k = min(near, len(words) - 1)
        what = chance.randrange(4)
        if what == 0:
            words[k] = ""
        elif what == 1:
            words[k] += " " + words[k]
        elif what == 2:
            j = min(k + chance.randint(1, 6), len(words) - 1)
            words[k], words[j] = words[j], words[k]
        else:
            words[k] = " " + chance.choice(SPICE) + " "
    return "".join(words)


class Runner:
    """A rewriter that is started once, and runs for many sources."""

    def __init__(self, rewriter, many_runs, include):
        self.process = subprocess.Popen([rewriter, "-o", "-", "@", "-I" + include], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "LD_PRELOAD": many_runs})

    def run(self, source):
        """(exit status, or a signal as a negative number; what it said)"""
        self.process.stdin.write(f"{source}\n")
        self.process.stdin.flush()
        status = int(self.process.stdout.readline())
        said = pathlib.Path(f"{source}.err")
        text = said.read_text(errors="replace")
        said.unlink()
        return status, text

    def end(self):
        self.process.stdin.close()
        return self.process.wait()


def judge(runners, folder, number, text):
    """None: accepted; "": refused with a message; else what is wrong."""
    source = pathlib.Path(folder) / f"program_{number}.c"
    source.write_text(text)
    runner = runners.get()
    try:
        status, said = runner.run(source)
    finally:
        runners.put(runner)
    source.unlink()
    if status == 0:
        return None
    if status in (-signal.SIGKILL, -signal.SIGXCPU):
        status = "hang"
    return "" if status == 1 and "error: " in said and "defect of sode cc" not in said else f"{status}\n{said[:2000]}"


def main(rewriter, many_runs, programs, include, count=None, seed="20261124"):
    # TEST_CASES is that of `./check --full`: 100,000 with its 2,000.
    count = int(count) if count else 50 * int(os.environ["TEST_CASES"]) if "TEST_CASES" in os.environ else 2000
    chance = random.Random(int(seed))
    texts = [path.read_text() for path in sorted(pathlib.Path(programs).glob("*.c"))]
    failed = accepted = 0
    runners = queue.Queue()
    for _ in range(os.cpu_count()):
        runners.put(Runner(rewriter, many_runs, include))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for first in range(0, count, 500):
            some = [mutate(chance.choice(texts), chance) for _ in range(min(500, count - first))]
            verdicts = workers.map(lambda job: judge(runners, folder, *job), enumerate(some, first))
            for number, (text, verdict) in enumerate(zip(some, verdicts), first):
                accepted += verdict is None
                if not verdict:
                    continue
                failed += 1
                kept = pathlib.Path(f"mutation_{seed}_{number}.c")
                kept.write_text(text)
                print(f"{kept}: {verdict}")
    while not runners.empty():
        failed += runners.get().end() != 0
    print(f"{count} programs: {accepted} accepted, {failed} crashed, hung or were refused without a word")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
