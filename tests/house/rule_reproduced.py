# SPDX-License-Identifier: Apache-2.0
"""docs/reproduced.md shows what docs/reproduced/*.json say, and every row there has a number with its command, or a reason. That the
numbers of the model are those that the commands print is for tests/docs (repeats.py)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/pages"))
import reproduced  # noqa: E402


def findings(tree):
    listed = [name for name in tree.files() if name.startswith(reproduced.FOLDER) and name.endswith(".json")]
    if not listed:
        return []
    found = reproduced.complaints(listed, tree.text)
    for page, text in reproduced.files(listed, tree.text).items():
        if tree.text(page) != text:
            found.append(f"{page}: does not show what the JSON files say (python3 scripts/pages)")
    return found
