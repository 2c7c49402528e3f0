# SPDX-License-Identifier: Apache-2.0
"""The list of decisions has each page once, under the number and the title of the page."""
import re

FOLDER = "docs/decisions/"
LINE = re.compile(r"^- (\d+): \[(.*)\]\((\d{4}-[^)]*\.md)\)$", re.MULTILINE)
TITLE = re.compile(r"# (\d+)\. (.*)")


def findings(tree):
    listed = {}
    found = []
    for number, title, page in LINE.findall(tree.text(FOLDER + "README.md")) if tree.has(FOLDER + "README.md") else []:
        if page in listed:
            found.append(f"{FOLDER}README.md: {page} is there twice")
        listed[page] = (number, title)
    for name in tree.files():
        page = name.removeprefix(FOLDER)
        if not name.startswith(FOLDER) or not re.match(r"\d{4}-.*\.md$", page):
            continue
        first = tree.text(name).partition("\n")[0]
        title = TITLE.fullmatch(first)
        if not title or int(title[1]) != int(page[:4]):
            found.append(f"{name}: begins with \"{first}\", not with its number and title")
        elif page not in listed:
            found.append(f"{FOLDER}README.md: {page} is missing")
        elif listed[page] != title.groups():
            found.append(f"{FOLDER}README.md: {page} is called otherwise than on the page itself: {title[2]}")
    return found
