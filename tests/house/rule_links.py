# SPDX-License-Identifier: Apache-2.0
"""A relative link in a document leads somewhere."""
import os
import re

CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")


def findings(tree):
    found = []
    for name in tree.files():
        if not name.endswith(".md"):
            continue
        for target in LINK.findall(CODE.sub("", tree.text(name))):
            if "://" in target or target.startswith(("#", "mailto:")):
                continue
            path = os.path.normpath(os.path.join(os.path.dirname(name), target.split("#")[0]))
            if not tree.has(path):
                found.append(f"{name}: links to {target}, which is not there")
    return found
