# SPDX-License-Identifier: Apache-2.0
"""A relative link in a document leads somewhere: to a file, and to a heading of it."""
import os
import re

CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *$", re.MULTILINE)


def anchors(page):
    """What links call the headings of a page: in small letters, without punctuation, with hyphens for spaces; numbered if there are several."""
    made = []
    for title in HEADING.findall(CODE.sub("", page)):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        made.append(f"{name}-{made.count(name)}" if name in made else name)
    return made


def findings(tree):
    found = []
    for name in tree.files():
        if not name.endswith(".md"):
            continue
        for target in LINK.findall(CODE.sub("", tree.text(name))):
            if "://" in target or target.startswith("mailto:"):
                continue
            file, _, heading = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(name), file)) if file else name
            if not tree.has(path):
                found.append(f"{name}: links to {target}, which is not there")
            elif heading and path.endswith(".md") and heading not in anchors(tree.text(path)):
                found.append(f"{name}: links to {target}, and {path} has no such heading")
    return found
