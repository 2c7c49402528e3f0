# SPDX-License-Identifier: Apache-2.0
"""A program that a page of docs/ shows is the file that it names: a link to a .cpp file on a line of its own, and the file below it. And
every program below docs/ is shown."""
import os
import re

SHOWN = re.compile(r"^\[[^\]\n]*\]\(([^)\s]+\.cpp)\)\n+```cpp\n(.*?)^```", re.DOTALL | re.MULTILINE)


def findings(tree):
    found = []
    shown = set()
    for page in (name for name in tree.files() if name.startswith("docs/") and name.endswith(".md")):
        for target, text in SHOWN.findall(tree.text(page)):
            path = os.path.normpath(os.path.join(os.path.dirname(page), target))
            shown.add(path)
            if not tree.has(path):
                continue  # rule_links says so
            program = "\n".join(line for line in tree.text(path).splitlines() if "SPDX" not in line)
            if text.strip() != program.strip():
                found.append(f"{page}: the program below {target} differs from the file")
    for name in tree.code("docs"):
        if name not in shown:
            found.append(f"{name}: no page of docs/ shows it")
    return found
