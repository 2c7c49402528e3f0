# SPDX-License-Identifier: Apache-2.0
"""Small files: none over 500 lines. Prints the median of each folder, since half of all files should have 100 to 200 lines or fewer."""
import collections
import statistics

MOST_LINES = 500


def findings(tree):
    lines = {name: tree.text(name).count("\n") for name in tree.code()}
    folders = collections.defaultdict(list)
    for name, count in lines.items():
        folders["/".join(name.split("/")[:2]) if name.startswith(("src/", "tests/")) else name.split("/")[0]].append(count)
    for folder, counts in sorted(folders.items()):
        print(f"{folder:20} {len(counts):4} files, median {statistics.median(counts):4.0f} lines, largest {max(counts):4}")
    return [f"{name}: {count} lines are more than one concept (at most {MOST_LINES})"
            for name, count in lines.items() if count > MOST_LINES]
