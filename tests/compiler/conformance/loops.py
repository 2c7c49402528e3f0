# SPDX-License-Identifier: Apache-2.0
"""nodes, template, distribute, align and loop: every way to cut, to align and to walk."""
from notation import Case, FORMATS, NOTATIONS, ROWS, cut

HEADERS = {
    "up": "for (int i = 0; i < N; i++)",
    "inclusive": "for (int i = 0; i <= N - 1; ++i)",
    "a part": "for (long i = 3; i < N - 2; i++)",
    "a step": "for (int i = 1; i < N; i += 3)",
    "a sum": "for (int i = 2; i < N - 1; i = i + 2)",
    "down": "for (int i = N - 1; i >= 0; i--)",
    "down by two": "for (int i = N - 2; i > 1; i -= 2)",
    "sides exchanged": "for (int i = 0; N > i; i++)",
    "unequal": "for (int i = 0; i != N; i++)",
}


def walks():
    for how in NOTATIONS:
        for kind in FORMATS:
            words, before = cut(kind, "N", "n")
            for name, header in HEADERS.items():
                body = (
                    "    enum { N = 29 };\n    int const n = xmp_num_nodes();\n" + before
                    + how.nodes("p", ["n"]) + how.template("t", ["N"]) + how.distribute("t", [words], "p")
                    + "    int a[N], full[N], want[N];\n" + how.align("a", ["i"], "t", ["i"])
                    + how.loop(["i"], "t", ["i"]) + "    for (int i = 0; i < N; i++) a[i] = -1;\n"
                    + "    for (int i = 0; i < N; i++) want[i] = -1;\n"
                    + how.loop(["i"], "t", ["i"]) + f"    {header} a[i] = 3 * (int)i + 1;\n    {header} want[i] = 3 * (int)i + 1;\n"
                    + "#pragma xmp gmove\n    full[:] = a[:];\n"
                    + "    for (int i = 0; i < N; i++) failures += full[i] != want[i];\n"
                )
                yield Case("loop", "on", f"{kind}, {name}, {how.name}", body)


def shifts():
    for how in NOTATIONS:
        for kind in FORMATS:
            words, before = cut(kind, "(N + 7)", "n")
            body = (
                "    int const N = 20, n = xmp_num_nodes();\n    (void)n;\n" + before
                + how.nodes("p", ["*"]) + how.template("t", ["N + 7"]) + how.distribute("t", [words], "p")
                + "    double a[N], full[N];\n" + how.align("a", ["i"], "t", ["i + 4"])
                + how.loop(["i"], "t", ["i + 4"]) + "    for (int i = 0; i < N; i++) a[i] = i * 0.5;\n"
                + how.loop(["k"], "t", ["k + 6"]) + "    for (int k = 0; k < N - 2; k++) a[k + 2] += 1;\n"
                + "#pragma xmp gmove\n    full[:] = a[:];\n"
                + "    for (int i = 0; i < N; i++) failures += full[i] != i * 0.5 + (i >= 2);\n"
            )
            yield Case("align", "an offset", f"{kind}, {how.name}", body)


# array dimensions, their targets, and how a loop over template dimensions i (12) and j (9) reaches them
ALIGNMENTS = {
    "as it is": ("a[12][9]", ["i", "j"], ["i", "j"], "a[i][j]"),
    "exchanged": ("a[9][12]", ["j", "i"], ["i", "j"], "a[j][i]"),
    "not split": ("a[12][9][3]", ["i", "j", "*"], ["i", "j"], "a[i][j][1]"),
    "copies of rows": ("a[12]", ["i"], ["i", "*"], "a[i]"),
    "copies of columns": ("a[9]", ["j"], ["*", "j"], "a[j]"),
}


def planes():
    pairs = [("block", "block"), ("cyclic", "block"), ("block", "cyclic(2)"), ("gblock", "cyclic"), ("block(w)", "gblock"),
             ("block", "*"), ("*", "cyclic(2)")]
    for how in NOTATIONS:
        for first, second in pairs:
            one_dim = "*" in (first, second)
            before = "" if one_dim else ROWS
            words = []
            for kind, extent, count in ((first, 12, "n" if one_dim else "columns"), (second, 9, "n" if one_dim else "rows")):
                if kind == "*":
                    words.append("*")
                    continue
                text, code = cut(kind, extent, count, f"widths{extent}")
                words.append(text)
                before += code
            for name, (array, own, targets, element) in ALIGNMENTS.items():
                copies = name.startswith("copies")
                index = element[1:].replace("[1]", "") if not copies else "[" + own[0] + "]"
                value = {"[i][j]": "100 * i + j", "[j][i]": "100 * i + j", "[i]": "100 * i", "[j]": "100 * j"}[index]
                loops = {"[i]": [("i", 12)], "[j]": [("j", 9)]}.get(index, [("i", 12), ("j", 9)])
                nest = "".join(f"    for (int {v} = 0; {v} < {e}; {v}++)\n" for v, e in loops)
                body = (
                    "    int const n = xmp_num_nodes();\n" + before
                    + how.nodes("g", ["n"] if one_dim else ["columns", "rows"])
                    + how.template("t", [12, 9]) + how.distribute("t", words, "g")
                    + f"    int {array}, full{array[1:]};\n" + how.align("a", own, "t", targets)
                    + how.loop([v for v, _ in loops], "t", targets) + nest + f"    {element} = {value};\n"
                    + "#pragma xmp gmove\n    full" + "[:]" * len(own) + " = a" + "[:]" * len(own) + ";\n"
                    + nest + f"    failures += full{element[1:]} != {value};\n"
                )
                yield Case("align", "two dimensions", f"{first}, {second}, {name}, {how.name}", body)


def files():
    """At file scope, where constants give strides that compilers know."""
    for how in NOTATIONS:
        for kind in ("block", "cyclic", "cyclic(2)"):
            outside = (
                how.nodes("p_ID", ["*"]) + how.template("t_ID", [24, 10], 0) + how.distribute("t_ID", [kind, "*"], "p_ID")
                + "static float a_ID[24][10];\n" + how.align("a_ID", ["i", "j"], "t_ID", ["i", "j"])
            )
            body = (
                "    float full[24][10];\n" + how.loop(["i", "j"], "t_ID", ["i", "j"])
                + "    for (int i = 0; i < 24; i++)\n        for (int j = 0; j < 10; j++) a_ID[i][j] = (float)(i - j);\n"
                + "#pragma xmp gmove\n    full[:][:] = a_ID[:][:];\n"
                + "    for (int i = 0; i < 24; i++)\n        for (int j = 0; j < 10; j++) failures += full[i][j] != (float)(i - j);\n"
            )
            yield Case("distribute", kind, f"at file scope, {how.name}", body, outside)


def later():
    """template_fix, and memory for pointers."""
    for how in NOTATIONS:
        for kind in ("block", "cyclic", "cyclic(2)"):
            body = (
                "    int const n = xmp_num_nodes();\n    (void)n;\n" + how.nodes("p", ["*"])
                + f"#pragma xmp template t{'[:]' if how.square else '(:)'}\n" + how.distribute("t", [kind], "p")
                + "    int size = 31;\n    long* a;\n" + how.align("a", ["i"], "t", ["i"])
                + f"#pragma xmp template_fix t{'[size]' if how.square else '(0 : size - 1)'}\n"
                + "    a = (long*)xmp_malloc(xmp_desc_of(a), size);\n    long sum = 0;\n"
                + how.loop(["i"], "t", ["i"]) + "    for (int i = 0; i < size; i++) a[i] = i;\n"
                + how.loop(["i"], "t", ["i"], "reduction(+ : sum)") + "    for (int i = 0; i < size; i++) sum += a[i];\n"
                + "    failures += sum != 465;\n    xmp_free(xmp_desc_of(a));\n"
            )
            yield Case("template_fix", "xmp_malloc", f"{kind}, {how.name}", body)


def several():
    """Templates that one directive declares and another one distributes."""
    for how in NOTATIONS:
        for cut in ("block", "cyclic"):
            body = (
                how.nodes("p", ["*"]) + ("#pragma xmp template [15] :: t, u, v\n" if how.square else "#pragma xmp template (0 : 14) :: t, u, v\n")
                + f"#pragma xmp distribute {how.list([cut])} onto p :: t, u\n" + how.distribute("v", ["cyclic(4)"], "p")
                + "    int a[15], b[15], full[15];\n" + how.align("a", ["i"], "u", ["i"]) + how.align("b", ["i"], "v", ["i"])
                + how.loop(["i"], "t", ["i"]) + "    for (int i = 0; i < 15; i++) a[i] = 2 * i;\n"
                + "#pragma xmp gmove\n    b[:] = a[:];\n" + how.loop(["i"], "v", ["i"]) + "    for (int i = 0; i < 15; i++) b[i] += 1;\n"
                + "#pragma xmp gmove\n    full[:] = b[:];\n    for (int i = 0; i < 15; i++) failures += full[i] != 2 * i + 1;\n"
            )
            yield Case("distribute", "several templates", f"{cut}, {how.name}", body)


def nodes():
    """A loop on nodes, and iterations of one node."""
    for how in NOTATIONS:
        first, end = ("0", "n") if how.square else ("1", "n + 1")
        body = (
            "    int const n = xmp_num_nodes(), me = xmpc_node_num();\n    int seen = -1, times = 0;\n" + how.nodes("p", ["n"])
            + how.loop(["k"], "p", ["k"]) + f"    for (int k = {first}; k < {end}; k++) {{\n        seen = k;\n        times++;\n    }}\n"
            + f"    failures += seen != me + {first} || times != 1;\n"
        )
        yield Case("loop", "on nodes", how.name, body)


def macros():
    """Heads, references, arguments that a macro has twice, and directives in macros."""
    for how in NOTATIONS:
        for kind in ("block", "cyclic", "cyclic(2)"):
            split = how.loop(["i"], "t", ["i"]).strip().removeprefix("#pragma ")
            outside = (
                "#define FOR_ID(i, from, to) for (int i = from; i < (to); i++)\n#define A_ID(i) a[i]\n#define BOTH_ID(x) ((x) + (x))\n"
                + "#define PLUS_ID(i) (a[i] + (i))\n" + f'#define SPLIT_ID(to) _Pragma("{split}") FOR_ID(i, 0, to)\n'
            )
            body = (
                "    enum { N = 23 };\n    int a[N], full[N];\n" + how.nodes("p", ["*"]) + how.template("t", ["N"]) + how.distribute("t", [kind], "p")
                + how.align("a", ["i"], "t", ["i"]) + how.loop(["i"], "t", ["i"]) + "    FOR_ID(i, 0, N) A_ID(i) = 3 * i;\n"
                + "    SPLIT_ID(N) failures += PLUS_ID(i) != 4 * i || BOTH_ID(A_ID(i)) != 6 * i;\n    SPLIT_ID(N - 2) { A_ID(i)++; }\n"
                + "#pragma xmp gmove\n    full[:] = a[:];\n    FOR_ID(i, 0, N) failures += full[i] != 3 * i + (i < N - 2);\n"
            )
            yield Case("loop", "in macros", f"{kind}, {how.name}", body, outside)


def cases():
    for part in (walks, shifts, planes, files, later, several, nodes, macros):
        yield from part()
