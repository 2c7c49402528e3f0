# SPDX-License-Identifier: Apache-2.0
"""What the compiler writes at a second place means the same there: bounds of loops and what clauses name, with coarrays, sizes of
distributed arrays, and elements of other images in them."""
from notation import Case, FORMATS, NOTATIONS, cut

COARRAYS = "int end_ID:[*], begin_ID:[*], ends_ID[3]:[*], by_ID:[*];\n"
BEGIN = (
    "    enum { N = 26 };\n    int const n = xmp_num_nodes(), me = xmpc_node_num();\n    (void)n, (void)me;\n"
    "    end_ID = N - 1, begin_ID = 2, by_ID = 3, ends_ID[1] = 20 + me, ends_ID[2] = 22;\n    xmp_sync_all(NULL);\n"
)
# head of the loop, and the same for a single node
HEADS = [
    ("int i = begin_ID; i < end_ID; i++", "int i = 2; i < N - 1; i++"),
    ("int i = 0; i < (int)(sizeof(a) / sizeof(a[0])); i++", "int i = 0; i < N; i++"),
    ("int i = 0; i < (int)(sizeof a / sizeof *a); i += by_ID", "int i = 0; i < N; i += 3"),
    ("int i = ends_ID[2] - 1; i >= begin_ID; i--", "int i = 21; i >= 2; i--"),
    ("int i = begin_ID:[0]; i <= ends_ID[1]:[n - 1] - n; i++", "int i = 2; i <= 20 - 1; i++"),
    ("int i = begin_ID; i < ends_ID[begin_ID:[0]]:[0]; i += by_ID:[n - 1]", "int i = 2; i < 22; i += 3"),
    ("int i = where[begin_ID]; where[end_ID - 1] > i; i++", "int i = 4; i < 24; i++"),
]


def bounds():
    for how in NOTATIONS:
        for kind in FORMATS:
            words, before = cut(kind, "N", "n")
            for head, serial in HEADS:
                body = (
                    BEGIN + before + how.nodes("p", ["n"]) + how.template("t", ["N"]) + how.distribute("t", [words], "p")
                    + "    int a[N], where[N], at[N], s = 0, r = 0;\n" + how.align("a", ["i"], "t", ["i"])
                    + "    for (int i = 0; i < N; i++) where[i] = i == 2 ? 4 : 24, at[i] = 0;\n    (void)where;\n" + how.loop(["i"], "t", ["i"], "reduction(+ : s)")
                    + f"    for ({head}) {{\n        a[i] = i;\n        at[i] = 1;\n        s += a[i];\n    }}\n    for ({serial}) r += i, at[i] -= 1;\n"
                    + "    failures += s != r;\n#pragma xmp reduction(+ : at)\n    for (int i = 0; i < N; i++) failures += at[i] != 0 && at[i] != 1 - n;\n"
                )

                yield Case("loop", "bounds with coarrays and sizes", f"{kind}, {head.replace('_ID', '')}, {how.name}", body, COARRAYS)


def clauses():
    for how in NOTATIONS:
        last, all_of_it = how.list([how.node("ends_ID[2] - 22 + n - 1")]), how.list([how.node("begin_ID:[0] - 2")])
        for directive, clause, code in (
            ("bcast", "from", f"    int x = me;\n#pragma xmp bcast (x) from p{last}\n    failures += x != n - 1;\n"),
            ("bcast", "from", f"    int x = me;\n#pragma xmp bcast (x) from p{all_of_it}\n    failures += x != 0;\n"),
            ("task", "on", f"    int x = -1;\n#pragma xmp task on p{last}\n    x = me;\n    failures += x != (me == n - 1 ? me : -1);\n"),
            ("task", "on", f"    int x = -1;\n#pragma xmp task on p{how.list([how.range(how.node('by_ID - 3'), 'begin_ID - 1')])} nocomm\n    x = me;\n    failures += x != (me == 0 ? me : -1);\n"),
            ("reduction", "sections", "    int x[8];\n    for (int i = 0; i < 8; i++) x[i] = 1;\n#pragma xmp reduction(+ : x[begin_ID:by_ID])\n    for (int i = 0; i < 8; i++) failures += x[i] != (i >= 2 && i < 5 ? n : 1);\n"),
            ("bcast", "sections", "    int x[8];\n    for (int i = 0; i < 8; i++) x[i] = me;\n#pragma xmp bcast (x[begin_ID:by_ID:2], x[0]) from p"
             + how.list([how.node("0")]) + "\n    for (int i = 0; i < 8; i++) failures += x[i] != (i == 0 || i == 2 || i == 4 || i == 6 ? 0 : me);\n"),
            ("gmove", "sections", "    int a[N], x[N];\n" + how.align("a", ["i"], "t", ["i"]) + how.loop(["i"], "t", ["i"]) + "    for (int i = 0; i < N; i++) a[i] = i;\n"
             + "    for (int i = 0; i < N; i++) x[i] = -1;\n#pragma xmp gmove\n    x[begin_ID:by_ID:[0]:begin_ID] = a[by_ID:by_ID:begin_ID];\n"
             + "    for (int i = 0; i < N; i++) failures += x[i] != (i == 2 || i == 4 || i == 6 ? i + 1 : -1);\n"
             + "#pragma xmp gmove\n    x[0] = a[ends_ID[2]];\n    failures += x[0] != 22;\n"),
            ("gmove", "one value, other types", "    int a[N], x = 0;\n" + how.align("a", ["i"], "t", ["i"])
             + "#pragma xmp gmove\n    a[begin_ID] = end_ID;\n#pragma xmp gmove\n    x = a[2];\n    failures += x != N - 1;\n"),
        ):
            body = BEGIN + how.nodes("p", ["n"]) + how.template("t", ["N"]) + how.distribute("t", ["cyclic"], "p") + code
            yield Case(directive, clause, f"coarrays in it, {how.name}", body, COARRAYS)


def extents():
    """Templates and nodes as large as coarrays say."""
    for how in NOTATIONS:
        body = (
            BEGIN + how.nodes("p", ["n * (begin_ID - 1)"]) + how.template("t", ["end_ID + 1"]) + how.distribute("t", ["cyclic(begin_ID)"], "p")
            + "    int a[N], s = 0;\n" + how.align("a", ["i"], "t", ["i"]) + how.loop(["i"], "t", ["i"], "reduction(+ : s)")
            + "    for (int i = 0; i < N; i++) s += a[i] = i;\n    failures += s != N * (N - 1) / 2;\n"
        )
        yield Case("template", "extents", f"coarrays in them, {how.name}", body, COARRAYS)


def sections():
    """Images, coarrays and other elements in sections."""
    for about, code in (
        ("images in them", "    x[begin_ID:[0]:by_ID:[n - 1]] = y[begin_ID:[n - 1] - 1:3];\n    for (int i = 0; i < 8; i++) failures += x[i] != (i >= 2 && i < 5 ? 10 + i - 1 : i);\n"),
        ("an image in the image", "    x[0:by_ID] = ends_ID[0:by_ID]:[begin_ID:[0] - 2];\n    failures += x[1] != 20 || x[2] != 22;\n"),
        ("an image as a step", "    x[0:3:begin_ID:[0]] = y[0:3];\n    for (int i = 0; i < 8; i++) failures += x[i] != (i < 6 && i % 2 == 0 ? 10 + i / 2 : i);\n"),
        ("of images, by coarrays", "    ends_ID[0:begin_ID]:[me] = y[begin_ID:begin_ID];\n    failures += ends_ID[0] != 12 || ends_ID[1] != 13 || ends_ID[2] != 22;\n"),
    ):
        body = BEGIN + "    int x[8], y[8];\n    for (int i = 0; i < 8; i++) x[i] = i, y[i] = 10 + i;\n    (void)x, (void)y;\n" + code
        yield Case("coarrays", "sections", about, body, COARRAYS)


def rows():
    """Sections over dimensions that are not split need no `array`."""
    for how in NOTATIONS:
        for kind in FORMATS:
            words, before = cut(kind, "N", "n")
            body = (
                "    enum { N = 13, M = 6 };\n    int const n = xmp_num_nodes();\n    (void)n;\n" + before + how.nodes("p", ["n"]) + how.template("t", ["N"])
                + how.distribute("t", [words], "p") + "    int a[N][M], row[M] = {1, 2, 3, 4, 5, 6};\n" + how.align("a", ["i", "*"], "t", ["i"])
                + how.loop(["i"], "t", ["i"])
                + "    for (int i = 0; i < N; i++) {\n        int sum[M];\n        a[i][0:M] = row[0:M];\n        a[i][1:2] = i;\n        a[i][:] += 1;\n"
                + "        sum[0:3] = a[i][3:3] + a[i][1];\n        failures += a[i][0] != 2 || a[i][1] != i + 1 || a[i][2] != i + 1 || a[i][5] != 7 || sum[2] != 7 + i + 1;\n    }\n"
            )
            yield Case("sections", "rows of distributed arrays", f"{kind}, {how.name}", body)


def elements():
    """Elements of cyclic arrays in clauses."""
    for how in NOTATIONS:
        for kind in FORMATS:
            words, before = cut(kind, "N", "rows")
            body = (
                "    enum { N = 11 };\n    int const n = xmp_num_nodes();\n    int rows = 1;\n    for (int k = 1; k * k <= n; k++)\n        if (n % k == 0) rows = k;\n    int const columns = n / rows;\n"
                + before + how.nodes("p", ["rows", "columns"]) + how.template("t", ["N", "columns"]) + how.distribute("t", [words, "block"], "p")
                + "    int a[N], s[N];\n" + how.align("a", ["i"], "t", ["i", "*"]) + how.loop(["i"], "t", ["i", ":"])
                + "    for (int i = 0; i < N; i++) a[i] = i;\n    int const column = xmpc_node_num() % columns;\n    (void)column, (void)s;\n"
                + f"#pragma xmp task on t{how.list(['7', how.range('0', 'columns') if how.square else '0 : columns - 1'])}\n"
                + "    {\n        a[7] += column;\n#pragma xmp reduction(+ : a[7])\n        failures += a[7] != 7 * columns + columns * (columns - 1) / 2;\n    }\n"
            )
            yield Case("reduction", "elements", f"{kind}, {how.name}", body)


def cases():
    for part in (bounds, clauses, extents, sections, rows, elements):
        yield from part()
