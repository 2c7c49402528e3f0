# SPDX-License-Identifier: Apache-2.0
"""No program makes sode cc crash, hang or refuse without a word: mutations_test.py REWRITER PROGRAMS INCLUDE [COUNT [SEED]]. Words of directives and of the
code around them are dropped, doubled, swapped and replaced."""
import concurrent.futures
import os
import pathlib
import random
import re
import resource
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


# A hang is one in processor time: how long it takes beside that depends on what else runs.
def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def judge(rewriter, include, folder, number, text):
    """None: accepted; "": refused with a message; else what is wrong."""
    source = pathlib.Path(folder) / f"program_{number}.c"
    source.write_text(text)
    try:
        run = subprocess.run([rewriter, "-o", "-", str(source), "-I" + include], capture_output=True, text=True, timeout=1800, errors="replace",
                             preexec_fn=limited)
        status, said = "hang" if run.returncode in (-signal.SIGKILL, -signal.SIGXCPU) else run.returncode, run.stderr
    except subprocess.TimeoutExpired:
        status, said = "hang", ""
    source.unlink()
    if status == 0:
        return None
    return "" if status == 1 and "error: " in said and "defect of sode cc" not in said else f"{status}\n{said[:2000]}"


def main(rewriter, programs, include, count=None, seed="20261124"):
    # TEST_CASES is that of `./check --full`: 100,000 with its 2,000.
    count = int(count) if count else 50 * int(os.environ["TEST_CASES"]) if "TEST_CASES" in os.environ else 2000
    chance = random.Random(int(seed))
    texts = [path.read_text() for path in sorted(pathlib.Path(programs).glob("*.c"))]
    failed = accepted = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        for first in range(0, count, 500):
            some = [mutate(chance.choice(texts), chance) for _ in range(min(500, count - first))]
            verdicts = workers.map(lambda job: judge(rewriter, include, folder, *job), enumerate(some, first))
            for number, (text, verdict) in enumerate(zip(some, verdicts), first):
                accepted += verdict is None
                if not verdict:
                    continue
                failed += 1
                kept = pathlib.Path(f"mutation_{seed}_{number}.c")
                kept.write_text(text)
                print(f"{kept}: {verdict}")
    print(f"{count} programs: {accepted} accepted, {failed} crashed, hung or were refused without a word")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
