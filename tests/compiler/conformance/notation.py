# SPDX-License-Identifier: Apache-2.0
"""What the cases of the conformance suite are written with: directives in both notations, and how templates are cut."""


class Case:
    """One function of C that returns how many of its checks failed."""

    def __init__(self, directive, clause, about, body, outside=""):
        self.directive = directive
        self.clause = clause
        self.about = about
        self.body = body
        self.outside = outside


class Notation:
    """Square brackets: from 0, the last dimension varies fastest. Round ones: from 1, and the first does."""

    def __init__(self, square):
        self.square = square
        self.name = "square" if square else "round"

    def list(self, items):
        items = [str(i) for i in items]
        if self.square:
            return "".join(f"[{i}]" for i in items)
        return "(" + ", ".join(reversed(items)) + ")"

    def nodes(self, name, extents, of=""):
        return f"#pragma xmp nodes {name}{self.list(extents)}{' = ' + of if of else ''}\n"

    def template(self, name, extents, lower=0):
        """Indices from `lower` on; in square brackets from 0."""
        if self.square:
            return f"#pragma xmp template {name}{self.list(extents)}\n"
        return f"#pragma xmp template {name}{self.list([f'{lower} : {lower} + {e} - 1' for e in extents])}\n"

    def distribute(self, name, formats, onto):
        return f"#pragma xmp distribute {name}{self.list(formats)} onto {onto}\n"

    def align(self, array, indices, name, targets):
        own = "".join(f"[{i}]" for i in indices)
        return f"#pragma xmp align {array}{own} with {name}{self.list(targets)}\n"

    def shadow(self, array, widths):
        return f"#pragma xmp shadow {array}" + "".join(f"[{w}]" for w in widths) + "\n"

    def loop(self, indices, name, targets, clauses=""):
        return f"#pragma xmp loop ({', '.join(indices)}) on {name}{self.list(targets)} {clauses}\n"

    def node(self, index):
        """Node `index`, counted from 0."""
        return index if self.square else f"({index}) + 1"

    def some(self, first, count, step=1):
        """A triplet of nodes, the first of which is counted from 0."""
        by = "" if step == 1 else f" : {step}"
        if self.square:
            return f"{first} : {count}{by}"
        return f"({first}) + 1 : ({first}) + ({count} - 1) * {step} + 1{by}"

    def range(self, first, count):
        """A triplet of indices."""
        return f"{first} : {count}" if self.square else f"{first} : ({first}) + ({count}) - 1"


NOTATIONS = [Notation(True), Notation(False)]

# How a dimension of EXTENT indices is cut over COUNT nodes, and what comes before.
FORMATS = {
    "block": ("block", ""),
    "block(w)": ("block((EXTENT + COUNT - 1) / COUNT + 1)", ""),
    "cyclic": ("cyclic", ""),
    "cyclic(2)": ("cyclic(2)", ""),
    "cyclic(5)": ("cyclic(5)", ""),
    "gblock": ("gblock(WIDTHS)", "    int WIDTHS[16] = {0};\n    for (int k = 0; k < EXTENT; k++) WIDTHS[k * k % COUNT]++;\n"),
}


def cut(kind, extent, count, widths="widths"):
    """The words of a format, and the code before it."""
    return tuple(
        text.replace("EXTENT", str(extent)).replace("COUNT", str(count)).replace("WIDTHS", widths) for text in FORMATS[kind]
    )


# Nodes of two dimensions, however many there are.
ROWS = "    int rows = 1;\n    for (int k = 1; k * k <= n; k++)\n        if (n % k == 0) rows = k;\n    int const columns = n / rows;\n"
