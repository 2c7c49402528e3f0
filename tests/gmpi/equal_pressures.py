# SPDX-License-Identifier: Apache-2.0
"""python3 equal_pressures.py SODE HIMENO HIMENO_GPU HIMENO_STREAM: the benchmark in one kernel, and in a stream, computes what himeno does, to the
last bit of the pressure, with any number of ranks."""
import array
import pathlib
import re
import subprocess
import sys
import tempfile

EXTENTS, STEPS = (32, 32, 64), 7  # grid XS


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main(sode, himeno, kernels, stream):
    with tempfile.TemporaryDirectory() as where:
        file = pathlib.Path(where, "pressure")
        said = run(himeno, "-g", "XS", "-s", str(STEPS), "--dump", str(file))
        bits = array.array("I", file.read_bytes())
    gosa = float(re.search(r"^gosa (\S+)", said, re.MULTILINE).group(1))
    plane = EXTENTS[1] * EXTENTS[2]
    expected = sum(b * (plane + n) for n, b in enumerate(bits[plane:-plane])) % 2**64
    for ranks in (1, 2, 3, 4):
        # The last one makes gosa of what differs after rounding.
        for program, shape, near in (
            (kernels, ["--blocks", "1", "--threads", "1"], 1e-6),
            (kernels, ["--blocks", "3", "--threads", "2"], 1e-6),
            (stream, [], 1e-4),
        ):
            sizes = [word for pair in zip("ijk", EXTENTS) for word in (f"-{pair[0]}", str(pair[1]))]
            words = [sode, "run", "-n", str(ranks), "--timeout", "100", "--", program, *sizes, "-s", str(STEPS), *shape]
            said = run(*words)
            found = re.findall(r"gosa (\S+), pressure ([0-9a-f]{16})", said)
            sums = {float(g) for g, _ in found}
            if len(found) != ranks or sum(int(p, 16) for _, p in found) % 2**64 != expected:
                sys.exit(f"{' '.join(words)}: another pressure\n{said}")
            if len(sums) != 1 or abs(sums.pop() / gosa - 1) > near:
                sys.exit(f"{' '.join(words)}: another gosa than {gosa}\n{said}")
    print(f"gosa {gosa:.6e}, pressure {expected:016x}, as himeno has them")


if __name__ == "__main__":
    main(*sys.argv[1:])
