# SPDX-License-Identifier: Apache-2.0
"""gmove between all ways to cut, and of all parts; array; sections."""
from notation import Case, FORMATS, NOTATIONS, ROWS, cut

PARTS = {
    "all": ("b[:]", "a[:]", "N", "0", "0", "1", "1"),
    "a shift": ("b[0:N - 4]", "a[4:N - 4]", "N - 4", "0", "4", "1", "1"),
    "steps": ("b[1:6:2]", "a[3:6:3]", "6", "1", "3", "2", "3"),
}


def lines():
    for how in NOTATIONS:
        for source in FORMATS:
            for target in FORMATS:
                name = list(PARTS)[(list(FORMATS).index(source) + list(FORMATS).index(target)) % 3]
                to, from_, count, first_to, first_from, by_to, by_from = PARTS[name]
                before = "    enum { N = 27 };\n    int const n = xmp_num_nodes();\n"
                words = []
                for kind, widths in ((source, "given"), (target, "got")):
                    text, code = cut(kind, "N", "n", widths)
                    words.append(text)
                    before += code
                body = (
                    before + how.nodes("p", ["n"]) + how.template("s", ["N"]) + how.template("t", ["N"])
                    + how.distribute("s", [words[0]], "p") + how.distribute("t", [words[1]], "p")
                    + "    float a[N], b[N], want[N];\n" + how.align("a", ["i"], "s", ["i"]) + how.align("b", ["i"], "t", ["i"])
                    + how.loop(["i"], "s", ["i"]) + "    for (int i = 0; i < N; i++) a[i] = (float)(i + 1);\n"
                    + how.loop(["i"], "t", ["i"]) + "    for (int i = 0; i < N; i++) b[i] = -1;\n"
                    + "    for (int i = 0; i < N; i++) want[i] = -1;\n"
                    + f"    for (int k = 0; k < {count}; k++) want[{first_to} + {by_to} * k] = (float)({first_from} + {by_from} * k + 1);\n"
                    + f"#pragma xmp gmove\n    {to} = {from_};\n" + how.loop(["i"], "t", ["i"], "reduction(+ : failures)")
                    + "    for (int i = 0; i < N; i++) failures += b[i] != want[i];\n"
                )
                yield Case("gmove", name, f"{source} to {target}, {how.name}", body)


def planes():
    """Parts of two dimensions, to other nodes, to the memory of each rank, and back."""
    for how in NOTATIONS:
        for first, second in (("block", "block"), ("cyclic", "block"), ("cyclic(2)", "cyclic"), ("block", "*")):
            one = second == "*"
            body = (
                "    int const n = xmp_num_nodes();\n" + ROWS + "    (void)columns;\n"
                + how.nodes("g", ["n"] if one else ["columns", "rows"]) + how.nodes("p", ["n"]) + how.template("s", [14, 10])
                + how.template("t", [10]) + how.distribute("s", [first, second], "g") + how.distribute("t", ["cyclic"], "p")
                + "    int a[14][10], row[10], mine[14], block[3][10];\n" + how.align("a", ["i", "j"], "s", ["i", "j"])
                + how.align("row", ["j"], "t", ["j"]) + how.loop(["i", "j"], "s", ["i", "j"])
                + "    for (int i = 0; i < 14; i++)\n        for (int j = 0; j < 10; j++) a[i][j] = 100 * i + j;\n"
                + "#pragma xmp gmove\n    row[:] = a[9][:];\n" + how.loop(["j"], "t", ["j"], "reduction(+ : failures)")
                + "    for (int j = 0; j < 10; j++) failures += row[j] != 900 + j;\n"
                + "#pragma xmp gmove\n    mine[:] = a[:][4];\n    for (int i = 0; i < 14; i++) failures += mine[i] != 100 * i + 4;\n"
                + "#pragma xmp gmove\n    block[:][:] = a[5:3][:];\n    for (int i = 0; i < 3; i++)\n"
                + "        for (int j = 0; j < 10; j++) {\n            failures += block[i][j] != 100 * (i + 5) + j;\n            block[i][j] = -j;\n        }\n"
                + "#pragma xmp gmove\n    a[2:3][:] = block[:][:];\n#pragma xmp gmove\n    a[12][0:5] = 7;\n"
                + how.loop(["i", "j"], "s", ["i", "j"], "reduction(+ : failures)")
                + "    for (int i = 0; i < 14; i++)\n        for (int j = 0; j < 10; j++)\n"
                + "            failures += a[i][j] != (i >= 2 && i < 5 ? -j : i == 12 && j < 5 ? 7 : 100 * i + j);\n"
            )
            yield Case("gmove", "two dimensions", f"{first}, {second}, {how.name}", body)


def downward():
    """Negative steps, parts of one array that overlap, and what `in` and `out` reach on other nodes."""
    for how in NOTATIONS:
        for source in FORMATS:
            for target in ("block", "cyclic(2)"):
                text, before = cut(source, "N", "n", "given")
                body = (
                    "    enum { N = 21 };\n    int const n = xmp_num_nodes();\n    (void)n;\n" + before + how.nodes("p", ["n"]) + how.template("s", ["N"])
                    + how.template("t", ["N"]) + how.distribute("s", [text], "p") + how.distribute("t", [target], "p")
                    + "    int a[N], b[N], full[N];\n" + how.align("a", ["i"], "s", ["i"]) + how.align("b", ["i"], "t", ["i"])
                    + how.loop(["i"], "s", ["i"]) + "    for (int i = 0; i < N; i++) a[i] = i;\n"
                    + "#pragma xmp gmove\n    b[0:N] = a[N - 1:N:-1];\n#pragma xmp gmove\n    full[:] = b[:];\n"
                    + "    for (int i = 0; i < N; i++) failures += full[i] != N - 1 - i;\n"
                    + "#pragma xmp gmove\n    b[N - 1:7:-3] = a[13:7:-2];\n#pragma xmp gmove\n    full[N - 1:N:-1] = b[0:N];\n"
                    + "    for (int k = 0; k < 7; k++) failures += full[3 * k] != 13 - 2 * k;\n"
                    + "#pragma xmp gmove\n    a[N - 2:5:-2] = 77;\n#pragma xmp gmove\n    a[1:8] = a[0:8];\n#pragma xmp gmove\n    full[:] = a[:];\n"
                    + "    for (int i = 0; i < N; i++) failures += full[i] != (i >= 11 && i < 20 && i % 2 == 1 ? 77 : i > 0 && i < 9 ? i - 1 : i);\n"
                    + f"#pragma xmp array on s{how.list([':'])}\n    a[N - 1:N:-1] = a[N - 1:N:-1] + 1;\n#pragma xmp gmove\n    full[:] = a[:];\n"
                    + "    failures += full[0] != 1 || full[20] != 21 || full[8] != 8;\n"
                )
                yield Case("gmove", "negative steps", f"{source} to {target}, {how.name}", body)
        first = how.list([how.node("n - 1")])
        body = (
            "    int const n = xmp_num_nodes();\n    double l[16];\n" + how.nodes("p", ["n"]) + how.template("t", [16]) + how.distribute("t", ["block"], "p")
            + "    double a[16];\n" + how.align("a", ["i"], "t", ["i"]) + how.shadow("a", [1]) + how.loop(["i"], "t", ["i"])
            + "    for (int i = 0; i < 16; i++) a[i] = i;\n#pragma xmp barrier\n" + f"#pragma xmp task on p{first}\n    {{\n"
            + "#pragma xmp gmove in\n        l[:] = a[:];\n        for (int i = 0; i < 16; i++) failures += l[i] != i;\n"
            + "#pragma xmp gmove out\n        a[0:3] = l[5:3];\n    }\n#pragma xmp barrier\n#pragma xmp gmove\n    l[:] = a[:];\n"
            + "    for (int i = 0; i < 3; i++) failures += l[i] != i + 5;\n"
        )
        yield Case("gmove", "in, out", how.name, body)


def arrays():
    for how in NOTATIONS:
        for kind in FORMATS:
            words, before = cut(kind, "N", "n")
            on = how.list([how.range("2", "N - 5")])
            body = (
                "    enum { N = 33 };\n    int const n = xmp_num_nodes();\n" + before + how.nodes("p", ["n"]) + how.template("t", ["N"])
                + how.distribute("t", [words], "p") + "    double a[N], b[N];\n" + how.align("a", ["i"], "t", ["i"])
                + how.align("b", ["i"], "t", ["i"]) + how.loop(["i"], "t", ["i"])
                + "    for (int i = 0; i < N; i++) {\n        a[i] = -1;\n        b[i] = i;\n    }\n"
                + f"#pragma xmp array on t{on}\n    a[2:N - 5] = 2 * b[2:N - 5] + sqrt(b[2:N - 5] * b[2:N - 5]);\n"
                + f"#pragma xmp array on t{on}\n    b[2:N - 5] += 1;\n" + how.loop(["i"], "t", ["i"], "reduction(+ : failures)")
                + "    for (int i = 0; i < N; i++) {\n        int const in = i >= 2 && i < N - 3;\n"
                + "        failures += a[i] != (in ? 3. * i : -1) || b[i] != i + in;\n    }\n"
            )
            yield Case("array", "on", f"{kind}, {how.name}", body)


def sections():
    """Without any directive."""
    for name, statement, wanted in (
        ("overlap", "x[1:9] = x[0:9];", "i >= 1 && i < 10 ? i - 1 : i"),
        ("a step", "x[0:5:2] = y[5:5];", "i < 10 && i % 2 == 0 ? 100 + 5 + i / 2 : i"),
        ("backwards", "x[9:10:-1] = y[0:10];", "i < 10 ? 100 + 9 - i : i"),
        ("a value", "x[3:4] = 7;", "i >= 3 && i < 7 ? 7 : i"),
        ("all", "x[:] = y[:];", "100 + i"),
        ("an operation", "x[2:3] *= y[2:3] - 99;", "i >= 2 && i < 5 ? i * (i + 1) : i"),
    ):
        body = (
            "    int x[12], y[12];\n    for (int i = 0; i < 12; i++) {\n        x[i] = i;\n        y[i] = 100 + i;\n    }\n"
            + f"    {statement}\n    failures += y[0] != 100;\n    for (int i = 0; i < 12; i++) failures += x[i] != ({wanted});\n"
        )
        yield Case("sections", name, "", body)


def cases():
    for part in (lines, planes, downward, arrays, sections):
        yield from part()
