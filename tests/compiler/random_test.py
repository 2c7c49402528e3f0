# SPDX-License-Identifier: Apache-2.0
"""Random programs (random_programs.py), each compiled by `sode cc` and run by a launcher that its number draws; a half of them checked, too. TEST_CASES says how
many, and TEST_SEED the first one.

usage: random_test.py SODE CC NAME=COMMAND ...     COMMAND has RANKS where their number belongs
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

import random_programs


def judge(sode, compiler, folder, seed, launch):
    ranks, text = random_programs.program(seed)
    source, program = pathlib.Path(folder) / f"random_{seed}.c", pathlib.Path(folder) / f"random_{seed}"
    source.write_text(text)
    # gcc 12 vectorises sums in nested loops that count down wrongly, also in plain C.
    options = [f"--with={compiler}", "-O2", "-fno-tree-vectorize", "-w", *(["-fsode-check"] if seed % 2 else [])]
    built = subprocess.run([sode, "cc", *options, str(source), "-o", str(program)], capture_output=True, text=True, timeout=240, check=False)
    run = built
    if built.returncode == 0:
        run = subprocess.run([*launch.replace("RANKS", str(ranks)).split(), str(program)], capture_output=True, text=True, timeout=240, check=False)
    program.unlink(missing_ok=True)
    return "" if run.returncode == 0 else f"seed {seed}, {ranks} ranks, {launch.split()[0]}: status {run.returncode}\n{run.stdout}{run.stderr}\n{text}"


def main(sode, compiler, *given):
    launchers = [item.split("=", 1)[1] for item in given]
    count = int(os.environ.get("TEST_CASES", "0")) // 10 or 8
    first = int(os.environ.get("TEST_SEED", "1"))
    print(f"seeds from {first}")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as workers:
        jobs = [workers.submit(judge, sode, compiler, folder, first + k, launchers[k % len(launchers)]) for k in range(count)]
        failures = [said for job in jobs if (said := job.result())]
    print("\n".join(failures))
    print(f"{count - len(failures)} of {count} programs are right")
    return 1 if failures else 0


sys.exit(main(*sys.argv[1:]))
