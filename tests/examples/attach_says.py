# SPDX-License-Identifier: Apache-2.0
"""attach_says.py BEFORE AFTER LAUNCHER ...: both programs say the same, and that sound has spread."""
import re
import subprocess
import sys


def say(program, launcher):
    done = subprocess.run([*launcher, program], capture_output=True, text=True, timeout=50)
    print(f"{program} ended with {done.returncode} and said\n{done.stdout}{done.stderr}")
    return done.stdout if done.returncode == 0 else None


def main(before, after, *launcher):
    said = [say(before, launcher), say(after, launcher)]
    if None in said or said[0] != said[1]:
        return 1
    loudest = float(re.fullmatch(r"the loudest point has ([0-9.]+), all points together [0-9.]+\n", said[0]).group(1))
    return 0 if 0 < loudest < 0.9 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
