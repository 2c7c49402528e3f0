# SPDX-License-Identifier: Apache-2.0
"""The parts of a page that are generated: from `<!-- results: NAME -->` to `<!-- end -->`."""
import re

PART = re.compile(r"<!-- (\w+): ([\w-]+) -->\n(.*?)<!-- end -->", re.DOTALL)
CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def names(page, kind):
    return [name for found, name, _ in PART.findall(page) if found == kind]


def filled(page, kind, text_of):
    """The page with each part of that kind filled by text_of(NAME)."""
    def part(match):
        if match.group(1) != kind:
            return match.group(0)
        return f"<!-- {kind}: {match.group(2)} -->\n{text_of(match.group(2))}<!-- end -->"
    return PART.sub(part, page)


def prose(page):
    """What a person has written: without generated parts and without code."""
    return CODE.sub("", PART.sub("", page))
