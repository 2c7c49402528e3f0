# SPDX-License-Identifier: Apache-2.0
"""The program that README.md shows is the one that is compiled and run, examples/first.cpp, and short. What it shows of another file,
below a link to it, are lines of that file in their order. And every row of its table of what is there leads to pages that show how each
name of the row is used."""
import os
import re

MOST_LINES = 25
SHOWN = re.compile(r"^\[[^\]\n]*\]\(([^)\s]+\.cpp)\)\n+```cpp\n(.*?)^```", re.DOTALL | re.MULTILINE)

ROW = re.compile(r"^\| (?!\|)([^|]+) \| ([^|]+) \| ([^|]*) ?\| [^|]*\|$", re.MULTILINE)
PAGE = re.compile(r"\]\(([^)#\s]+)")
UNEXPLAINED = {"Systems", "Tools"}  # one has no names; `sode --help` explains the other


def not_of(lines, text):
    """The first of the lines that does not come in the file, after the lines before it."""
    rest = iter([line.split("//")[0].strip() for line in text.splitlines()])
    return next((line for line in lines if line not in rest), None)


def unexplained(tree):
    found = []
    table = re.search(r"^## What is there\n(.*?)(?=^## )", tree.text("README.md"), re.DOTALL | re.MULTILINE)
    for title, what, steps in ROW.findall(table.group(1)) if table else ():
        pages = [page for page in PAGE.findall(what + steps) if tree.has(page)]
        if title in UNEXPLAINED:
            continue
        if not pages:
            found.append(f"README.md: the row \"{title}\" leads to no page that shows it step by step")
            continue
        text = "\n".join(tree.text(os.path.normpath(page)) for page in pages)
        found += [f"README.md: no page of the row \"{title}\" has {name}" for name in re.findall(r"`([^`]+)`", what)
                  if not re.search(rf"(?<!\w){re.escape(name.split('(')[0].split('::')[-1].strip('<>'))}(?!\w)", text)]
    return found


def findings(tree):
    program = "\n".join(line for line in tree.text("examples/first.cpp").splitlines() if "SPDX" not in line).strip()
    readme = tree.text("README.md")
    shown = re.search(r"```cpp\n(.*?)```", readme, re.DOTALL)
    if not shown:
        return ["README.md: shows no program"]
    found = unexplained(tree)
    if shown.group(1).strip() != program:
        found.append("README.md: the first program differs from examples/first.cpp")
    if len(program.splitlines()) > MOST_LINES:
        found.append(f"examples/first.cpp: {len(program.splitlines())} lines; README.md promises {MOST_LINES}")
    for target, part in SHOWN.findall(readme):
        wrong = not_of([line.strip() for line in part.splitlines() if line.strip()], tree.text(target))
        if wrong:
            found.append(f"README.md: `{wrong}` is no line of {target}, or not in this order")
    return found
