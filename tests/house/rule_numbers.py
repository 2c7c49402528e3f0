# SPDX-License-Identifier: Apache-2.0
"""Every number with a unit that a page of docs/ states has an origin: it stands in a generated part, or docs/numbers.json names the file that
it comes from, and what that file says: a constant of the code, or a decision, which says where and when it was measured. So neither the page
nor the constant changes alone."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/pages"))
import marks  # noqa: E402

ORIGINS = "docs/numbers.json"
PAGE = re.compile(r"docs/(?!lab-book)[\w-]+\.md")
STATED = re.compile(r"(?<![\w.^])\d[\d.,]*(?: to \d[\d.,]*)?\s?(?:%|[µu]s\b|ms\b|ns\b|s\b|seconds?\b|minutes?\b|[KMGT]i?B/s|[MG]B\b|GFLOPS|times (?:as|faster|slower))")
SIZE = re.compile(r"(?<![\w.^])\d[\d.,]*\s?[KMGT]i?B\b(?!/s)")
NOT_HERE = {"docs/predictions.md", "docs/results.md", "docs/references.md"}  # tests/docs, rule_results, and other people's numbers
SIZES_OF = {"docs/limits.md", "docs/mpi-layer.md", "docs/tasks.md"}  # where a size is a limit, and not a workload


def stated_by(tree, page):
    text = marks.prose(tree.text(page))
    return {" ".join(match.split()) for match in STATED.findall(text) + (SIZE.findall(text) if page in SIZES_OF else [])}


def findings(tree):
    found = []
    origins = json.loads(tree.text(ORIGINS)) if tree.has(ORIGINS) else {}
    for page in filter(PAGE.fullmatch, tree.files()):
        if page in NOT_HERE:
            continue
        of_page, stated = origins.get(page, {}), stated_by(tree, page)
        found += [f"{page}: \"{number}\" comes from nowhere ({ORIGINS} names the origin of each number)" for number in sorted(stated - set(of_page))]
        found += [f"{ORIGINS}: {page} does not state \"{number}\"" for number in sorted(set(of_page) - stated)]
        for number in sorted(stated & set(of_page)):
            found += [f"{ORIGINS}: \"{number}\" of {page} comes from {file}, which does not say \"{says}\"" for file, says in of_page[number].items()
                      if not tree.has(file) or says not in tree.text(file)]
    return found
