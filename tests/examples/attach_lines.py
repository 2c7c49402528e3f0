# SPDX-License-Identifier: Apache-2.0
"""attach_lines.py BEFORE AFTER: of the lines of code of AFTER, at most ten are not in BEFORE, and there are some."""
import difflib
import pathlib
import sys


def code(path):
    return [line for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines() if line and not line.startswith("//")]


def main(before, after):
    new = [line for line in difflib.ndiff(code(before), code(after)) if line.startswith("+ ")]
    print("\n".join(new))
    return 0 if 0 < len(new) <= 10 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
