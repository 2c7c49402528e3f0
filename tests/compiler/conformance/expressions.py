# SPDX-License-Identifier: Apache-2.0
"""Sections without ends, one value for many, and colons that belong together."""
from notation import Case, FORMATS, NOTATIONS, cut


def one_value():
    """gmove of one element or value to many, and between types."""
    for how in NOTATIONS:
        for kind in FORMATS:
            words, before = cut(kind, "N", "n")
            body = (
                "    enum { N = 19 };\n    int const n = xmp_num_nodes();\n    (void)n;\n" + before + how.nodes("p", ["n"]) + how.template("t", ["N"])
                + how.distribute("t", [words], "p") + "    int a[N], x = 5;\n    double d[N], mine[N];\n    char small[N];\n" + how.align("a", ["i"], "t", ["i"])
                + how.align("d", ["i"], "t", ["i"]) + how.align("small", ["i"], "t", ["i"]) + how.loop(["i"], "t", ["i"])
                + "    for (int i = 0; i < N; i++) {\n        a[i] = 3 * i;\n        d[i] = small[i] = 0;\n    }\n"
                + "#pragma xmp gmove\n    d[:] = a[3];\n#pragma xmp gmove\n    mine[:] = d[:];\n    for (int i = 0; i < N; i++) failures += mine[i] != 9;\n"
                + "#pragma xmp gmove\n    d[1:N - 1:1] = a[0:N - 1];\n#pragma xmp gmove\n    a[4] = x;\n#pragma xmp gmove\n    small[2:6:2] = a[4];\n"
                + "#pragma xmp gmove\n    x = d[N - 1];\n    failures += x != 3 * (N - 2);\n#pragma xmp gmove\n    mine[0:N] = small[0:N];\n"
                + "    for (int i = 0; i < N; i++) failures += mine[i] != (i >= 2 && i < 14 && i % 2 == 0 ? 5 : 0);\n"
                + how.loop(["i"], "t", ["i"], "reduction(+ : failures)")
                + "    for (int i = 0; i < N; i++) failures += a[i] != (i == 4 ? 5 : 3 * i) || d[i] != (i > 0 ? 3 * (i - 1) : 9);\n"
            )
            yield Case("gmove", "one value, other types", f"{kind}, {how.name}", body)
        first = how.list([how.node("0")])
        body = (
            "    int const n = xmp_num_nodes();\n    int x = 7, l[6];\n" + how.nodes("p", ["n"]) + how.template("t", ["6 * n"]) + how.distribute("t", ["block"], "p")
            + "    int a[6 * n];\n" + how.align("a", ["i"], "t", ["i"]) + how.loop(["i"], "t", ["i"]) + "    for (int i = 0; i < 6 * n; i++) a[i] = i;\n"
            + f"#pragma xmp barrier\n#pragma xmp task on p{first}\n    {{\n#pragma xmp gmove in\n        l[:] = a[6 * n - 2];\n"
            + "        for (int i = 0; i < 6; i++) failures += l[i] != 6 * n - 2;\n#pragma xmp gmove out\n        a[6 * n - 1] = x;\n    }\n#pragma xmp barrier\n"
            + "#pragma xmp gmove\n    x = a[6 * n - 1];\n    failures += x != 7;\n"
        )
        yield Case("gmove", "in, out of one value", how.name, body)


def open_sections():
    """Sections that do not say how many elements they have, of several dimensions, and with steps."""
    for directive, begin, want in (("reduction(+ : ITEM)", "k + me", "n * k + n * (n - 1) / 2"), ("bcast (ITEM) from p[n - 1]", "k + 10 * me", "k + 10 * (n - 1)")):
        for item, chosen in (("x[:][:]", "1"), ("x[1:][:]", "i >= 1"), ("x[2][:]", "i == 2"), ("x[:][3]", "j == 3"), ("x[0:2:2][1:2]", "i % 2 == 0 && j >= 1 && j < 3"),
                             ("x[1:][2:]", "i >= 1 && j >= 2")):
            body = (
                "    int const n = xmp_num_nodes(), me = xmpc_node_num();\n    int x[3][5];\n" + NOTATIONS[0].nodes("p", ["n"])
                + f"    for (int k = 0; k < 15; k++) x[k / 5][k % 5] = {begin};\n#pragma xmp {directive.replace('ITEM', item)}\n"
                + "    for (int k = 0; k < 15; k++) {\n        int const i = k / 5, j = k % 5;\n        (void)i, (void)j;\n"
                + f"        failures += x[i][j] != ({chosen} ? {want} : {begin});\n    }}\n"
            )
            yield Case(directive.split("(")[0].strip(), "sections", item, body)


def colons():
    """Colons of align belong together in the order of C; round brackets are the other way round."""
    for how in NOTATIONS:
        body = (
            "    enum { N = 9, M = 5 };\n    int const n = xmp_num_nodes();\n" + how.nodes("p", ["n"]) + f"#pragma xmp template t{how.list(['12', '12'])}\n".replace("(12, 12)", "(0:11, 0:11)")
            + how.distribute("t", ["block", "*"], "p") + "    int a[N][M];\n"
            + f"#pragma xmp align a[:][:] with t{'[:][:]' if how.square else '(:, :)'}\n"
            + how.loop(["i", "j"], "t", ["i", "j"]) + "    for (int i = 0; i < N; i++)\n        for (int j = 0; j < M; j++) a[i][j] = 10 * i + j;\n"
            + "    int all[N][M];\n#pragma xmp gmove\n    all[:][:] = a[:][:];\n    for (int i = 0; i < N; i++)\n        for (int j = 0; j < M; j++) failures += all[i][j] != 10 * i + j;\n"
        )
        yield Case("align", "colons", how.name, body)


def cases():
    for part in (one_value, open_sections, colons):
        yield from part()
