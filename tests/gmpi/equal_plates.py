# SPDX-License-Identifier: Apache-2.0
"""python3 equal_plates.py SODE LAPLACE: what laplace_gpu computes is what a plain loop computes, to the last bit, with any number of ranks."""
import re
import subprocess
import sys

SIDE, STEPS = 34, 25


def plain():
    now = [[0.0] * SIDE for _ in range(SIDE)]
    now[0] = [1.0] * SIDE
    for _ in range(STEPS):
        before = now
        now = [row[:] for row in before]
        for i in range(1, SIDE - 1):
            for j in range(1, SIDE - 1):
                now[i][j] = 0.25 * (before[i - 1][j] + before[i + 1][j] + before[i][j - 1] + before[i][j + 1])
    return max(abs(a - b) for one, other in zip(now, before) for a, b in zip(one, other))


def main(sode, program):
    expected = f"{plain():.12e}"
    for ranks in (1, 2, 3, 4):
        for shape in (["--blocks", "1", "--threads", "1"], ["--blocks", "3", "--threads", "2"]):
            command = [sode, "run", "-n", str(ranks), "--timeout", "100", "--", program, "-n", str(SIDE), "-s", str(STEPS), *shape]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            changes = re.findall(r"greatest change of step \d+: (\S+)", done.stdout)
            if done.returncode != 0 or len(changes) != ranks or f"{max(map(float, changes)):.12e}" != expected:
                sys.exit(f"{' '.join(command)}: expected {expected}\n{done.stdout}{done.stderr}")
    print(f"greatest change {expected}, as by a plain loop")


if __name__ == "__main__":
    main(*sys.argv[1:])
