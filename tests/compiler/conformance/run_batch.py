# SPDX-License-Identifier: Apache-2.0
"""Runs one program of the conformance suite: once, on ranks and by a launcher that a seed draws; with TEST_CASES of 2000 or more
(./check --full) on all of them.

usage: run_batch.py PROGRAM NUMBER NAME=COMMAND ...     COMMAND has RANKS where their number belongs
"""
import os
import random
import subprocess
import sys

RANKS = [1, 2, 3, 4, 5, 6, 7, 8, 16]
SEED = 20261125


def ways(number, launchers):
    every = [(ranks, name) for name in launchers for ranks in RANKS if name == "sode" or ranks <= 4]
    if int(os.environ.get("TEST_CASES", "0")) >= 2000:
        return every
    draw = random.Random(SEED)
    draw.shuffle(every)
    return [every[number % len(every)]]


def main():
    program, number, *given = sys.argv[1:]
    launchers = dict(item.split("=", 1) for item in given)
    failed = False
    for ranks, name in ways(int(number), launchers):
        command = launchers[name].replace("RANKS", str(ranks)).split() + [program]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
        print(f"{ranks} ranks, {name}: {'passed' if done.returncode == 0 else 'failed'}")
        if done.returncode != 0:
            print(done.stdout + done.stderr)
            failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
