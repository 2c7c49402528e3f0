# SPDX-License-Identifier: Apache-2.0
"""The program that README.md shows is the one that is compiled and run, examples/first.cpp, and short."""
import re

MOST_LINES = 25


def findings(tree):
    program = "\n".join(line for line in tree.text("examples/first.cpp").splitlines() if "SPDX" not in line).strip()
    shown = re.search(r"```cpp\n(.*?)```", tree.text("README.md"), re.DOTALL)
    if not shown:
        return ["README.md: shows no program"]
    found = []
    if shown.group(1).strip() != program:
        found.append("README.md: the first program differs from examples/first.cpp")
    if len(program.splitlines()) > MOST_LINES:
        found.append(f"examples/first.cpp: {len(program.splitlines())} lines; README.md promises {MOST_LINES}")
    return found
