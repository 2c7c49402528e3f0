# SPDX-License-Identifier: Apache-2.0
"""python3 scripts/pages [--check]: writes the parts of README.md and docs/ that show data, anew from the JSON files: results of
docs/results/, the figures of papers of docs/reproduced/, and tables of docs/tables/. With --check it writes nothing, names what is stale, and fails."""
import pathlib
import sys

import reproduced
import results
import tables

ROOT = pathlib.Path(__file__).resolve().parents[2]


def written(root):
    """Every file that has a generated part, and its text as it should be."""
    names = sorted(str(path.relative_to(root)) for path in root.glob("docs/*/*.json"))
    read = lambda name: (root / name).read_text(encoding="utf-8")
    pages = sorted(str(path.relative_to(root)) for path in root.glob("docs/*.md"))
    return {**tables.files(names, pages, read), **results.files(names, read), **reproduced.files(names, read)}


def main(arguments):
    stale = 0
    for name, text in written(ROOT).items():
        path = ROOT / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        print(f"{name}: {'is stale (python3 scripts/pages writes it anew)' if '--check' in arguments else 'written'}")
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
