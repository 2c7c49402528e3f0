# SPDX-License-Identifier: Apache-2.0
"""python3 lint.py RULE [ROOT]: holds the tree against a rule of the house, prints what breaks it, and fails if anything does."""
import importlib
import pathlib
import sys

from tree import Tree


def main(rule, root=pathlib.Path(__file__).parents[2]):
    found = importlib.import_module(f"rule_{rule}").findings(Tree(root))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
