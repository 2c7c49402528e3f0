# SPDX-License-Identifier: Apache-2.0
"""A halo by directives has the same plan as one by the C++ face, byte for byte in dump(): same_plans_test.py SODE COMPILER DIRECTIVES.c BY_CXX, on 1 to 6 ranks.
The channel is given: what the model chooses depends on how far cores are apart."""
import os
import difflib
import pathlib
import subprocess
import sys
import tempfile


def main(sode, compiler, source, by_cxx):
    failed = 0
    with tempfile.TemporaryDirectory() as root:
        for first, second in ((1, 1), (2, 1), (1, 3), (2, 2), (3, 2)):
            ranks = first * second
            by_directives = f"{root}/by_directives"
            subprocess.run([sode, "cc", f"--with={compiler}", "-Wall", "-Wextra", "-Werror", f"-DFIRST={first}", f"-DSECOND={second}", source, "-o", by_directives, "-ldl"],
                           check=True, timeout=100)
            said = []
            for words in ([by_directives], [by_cxx]):
                folder = pathlib.Path(root) / f"{ranks}.{len(said)}"
                folder.mkdir(exist_ok=True)
                os.environ["SODE_CHANNEL"] = "pull" if first > 1 else "stage"
                subprocess.run([sode, "run", "-n", str(ranks), "--timeout", "60", "--", *words, str(folder), str(first), str(second)], check=True, timeout=100)
                said.append([(folder / str(rank)).read_text() for rank in range(ranks)])
            for rank, (ours, theirs) in enumerate(zip(*said)):
                if ours != theirs or ours.count("blocks") < 4 or "none" in ours.splitlines():
                    failed += 1
                    lines = difflib.unified_diff(ours.splitlines(), theirs.splitlines(), "by directives", "by the C++ face", lineterm="")
                    print(f"{first} x {second}, rank {rank}: other plans\n" + "\n".join(list(lines)[:30]))
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
