# SPDX-License-Identifier: Apache-2.0
"""No program makes sode cc crash, hang or refuse without a word: mutations_test.py REWRITER PROGRAMS INCLUDE [COUNT [SEED]]. Words of directives and of the
code around them are dropped, doubled, swapped and replaced."""
import pathlib
import random
import re
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


def main(rewriter, programs, include, count="2000", seed="20261124"):
    chance = random.Random(int(seed))
    texts = [path.read_text() for path in sorted(pathlib.Path(programs).glob("*.c"))]
    failed = accepted = 0
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "program.c"
        for number in range(int(count)):
            source.write_text(mutate(chance.choice(texts), chance))
            try:
                run = subprocess.run([rewriter, "-o", "-", str(source), "-I" + include], capture_output=True, text=True, timeout=20, errors="replace")
                status, said = run.returncode, run.stderr
            except subprocess.TimeoutExpired:
                status, said = "hang", ""
            accepted += status == 0
            if status == 0 or (status == 1 and "error: " in said and "defect of sode cc" not in said):
                continue
            failed += 1
            kept = pathlib.Path(f"mutation_{seed}_{number}.c")
            kept.write_text(source.read_text())
            print(f"{kept}: {status}\n{said[:2000]}")
    print(f"{count} programs: {accepted} accepted, {failed} crashed, hung or were refused without a word")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
