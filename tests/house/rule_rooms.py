# SPDX-License-Identifier: Apache-2.0
"""Every top folder and every floor says in a README of some ten lines what it is; every test says at its top what it proves."""
import re

from rule_floors import floors_of

MOST_LINES = 24  # docs/README.md is a list of pages
LEAST_WORDS = 4


def readme_of(tree, folder, lead):
    name = f"{folder}/README.md"
    if not tree.has(name):
        return [f"{name}: is missing ({lead})"]
    count = tree.text(name).count("\n")
    return [f"{name}: {count} lines are a document (at most {MOST_LINES}; it belongs into docs/)"] if count > MOST_LINES else []


def top_comment(text):
    """The comment below the license."""
    found = re.match(r"//[^\n]*\n((?://[^\n]*\n)+)", text)
    return found.group(1) if found else ""


def findings(tree):
    found = []
    tops = sorted({name.split("/")[0] for name in tree.files() if "/" in name and not name.startswith(".")})
    for folder in tops:
        found += readme_of(tree, folder, "every top folder says in ten lines what it is")
    for floor in floors_of(tree):
        found += readme_of(tree, f"src/{floor}", "every floor says in ten lines what it is")
    for name in tree.code("tests"):
        if re.search(r"_(test|fuzz)\.cpp$", name) and len(top_comment(tree.text(name)).replace("//", "").split()) < LEAST_WORDS:
            found.append(f"{name}: does not say what it proves (a comment below the license)")
    return found
