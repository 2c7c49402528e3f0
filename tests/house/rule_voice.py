# SPDX-License-Identifier: Apache-2.0
"""Where users read, no word is private to this project: README.md, the pages of docs/ but for those of developers, and public headers.
Code, paths and generated parts do not count."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/pages"))
import marks  # noqa: E402

# What they mean in CONTRIBUTING.md and docs/decisions.
PRIVATE = {"bar": "a goal", "bars": "goals", "floor": "a library layer", "floors": "library layers", "house": "the source tree",
           "door": "an interface", "doors": "interfaces"}
FOR_DEVELOPERS = {"docs/lab-book.md", "docs/references.md"}
QUOTED = re.compile(r"`[^`\n]*`|\]\([^)\n]*\)|<!--.*?-->")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|^\s*!.*?$", re.DOTALL | re.MULTILINE)


def read_by_users(tree, name):
    """What a person has written there; "" of a file that is not for users."""
    if name == "README.md" or (re.fullmatch(r"docs/[^/]*\.md", name) and name not in FOR_DEVELOPERS):
        return marks.prose(tree.text(name))
    if name.startswith("include/") and name.endswith((".h", ".hpp", ".f90")):
        return "\n".join(COMMENT.findall(tree.text(name)))
    return ""


def findings(tree):
    found = []
    for name in tree.files():
        text = QUOTED.sub("", read_by_users(tree, name))
        for word in sorted({match.group(0).lower() for match in re.finditer(r"\b(?:bars?|floors?|house|doors?)\b", text, re.IGNORECASE)}):
            found.append(f"{name}: \"{word}\" is a word of this project's developers (for users: {PRIVATE[word]})")
    return found
