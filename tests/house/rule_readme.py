# SPDX-License-Identifier: Apache-2.0
"""The program that README.md shows is the one that is compiled and run, examples/first.cpp, and short. What it shows of another file,
below a link to it, are lines of that file in their order."""
import re

MOST_LINES = 25
SHOWN = re.compile(r"^\[[^\]\n]*\]\(([^)\s]+\.cpp)\)\n+```cpp\n(.*?)^```", re.DOTALL | re.MULTILINE)


def not_of(lines, text):
    """The first of the lines that does not come in the file, after the lines before it."""
    rest = iter([line.split("//")[0].strip() for line in text.splitlines()])
    return next((line for line in lines if line not in rest), None)


def findings(tree):
    program = "\n".join(line for line in tree.text("examples/first.cpp").splitlines() if "SPDX" not in line).strip()
    readme = tree.text("README.md")
    shown = re.search(r"```cpp\n(.*?)```", readme, re.DOTALL)
    if not shown:
        return ["README.md: shows no program"]
    found = []
    if shown.group(1).strip() != program:
        found.append("README.md: the first program differs from examples/first.cpp")
    if len(program.splitlines()) > MOST_LINES:
        found.append(f"examples/first.cpp: {len(program.splitlines())} lines; README.md promises {MOST_LINES}")
    for target, part in SHOWN.findall(readme):
        wrong = not_of([line.strip() for line in part.splitlines() if line.strip()], tree.text(target))
        if wrong:
            found.append(f"README.md: `{wrong}` is no line of {target}, or not in this order")
    return found
