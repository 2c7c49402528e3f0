# SPDX-License-Identifier: Apache-2.0
"""shadow, reflect and its clauses, reduce_shadow."""
from notation import Case, NOTATIONS, ROWS

BEGIN = "    int const n = xmp_num_nodes();\n"


def lines():
    for how in NOTATIONS:
        for cut in ("block", "block((N + n - 1) / n + 1)"):
            for low, high in ((1, 1), (2, 1), (0, 1), (2, 0)):
                for periodic in (False, True):
                    for way in ("reflect", "async", "reflect_init"):
                        if periodic and cut != "block":
                            continue
                        clause = f"width({'/periodic/' if periodic else ''}{low}:{high})"
                        reflect = {
                            "reflect": f"#pragma xmp reflect(a) {clause}\n",
                            "async": f"#pragma xmp reflect(a) {clause} async(4)\n#pragma xmp wait_async(4)\n",
                            "reflect_init": f"#pragma xmp reflect_init(a) {clause}\n#pragma xmp reflect_do(a)\n",
                        }[way]
                        inside = "" if periodic else "if (i + k >= 0 && i + k < N) "
                        body = (
                            "    enum { N = 48 };\n" + BEGIN + "    (void)n;\n" + how.nodes("p", ["*"]) + how.template("t", ["N"])
                            + how.distribute("t", [cut], "p") + "    int a[N];\n" + how.align("a", ["i"], "t", ["i"])
                            + how.shadow("a", [f"{low} : {high}"]) + "    for (int round = 0; round < 3; round++) {\n"
                            + how.loop(["i"], "t", ["i"]) + "        for (int i = 0; i < N; i++) a[i] = 100 * round + i;\n"
                            + reflect + how.loop(["i"], "t", ["i"], "reduction(+ : failures)")
                            + "        for (int i = 0; i < N; i++)\n"
                            + f"            for (int k = -{low}; k <= {high}; k++)\n"
                            + f"                {inside}failures += a[i + k] != 100 * round + (i + k + N) % N;\n    }}\n"
                        )
                        yield Case(way.split("_")[0] if way == "async" else way, "width" + (", periodic" if periodic else ""),
                                   f"{low}:{high}, {cut.split('(')[0]}, {way}, {how.name}", body)


def planes():
    for how in NOTATIONS:
        for clause in ("", "orthogonal", "width(/periodic/1, 1)", "width(/periodic/1, /periodic/2)", "width(1, 0)"):
            wraps = [clause.startswith("width(/periodic/1"), "/periodic/2" in clause]
            widths = (1, 0) if clause == "width(1, 0)" else (1, 1) if clause == "width(/periodic/1, 1)" else (1, 2)
            inside = []
            for k, (v, e) in enumerate((("i + di", 24), ("j + dj", 32))):
                if not wraps[k]:
                    inside.append(f"{v} >= 0 && {v} < {e}")
            if clause == "orthogonal":
                inside.append("(di == 0 || dj == 0)")
            condition = f"if ({' && '.join(inside)}) " if inside else ""
            body = (
                BEGIN + ROWS + how.nodes("g", ["columns", "rows"]) + how.template("t", [24, 32])
                + how.distribute("t", ["block", "block"], "g") + "    double a[24][32];\n"
                + how.align("a", ["i", "j"], "t", ["i", "j"]) + how.shadow("a", [1, 2])
                + how.loop(["i", "j"], "t", ["i", "j"])
                + "    for (int i = 0; i < 24; i++)\n        for (int j = 0; j < 32; j++) a[i][j] = 100 * i + j;\n"
                + f"#pragma xmp reflect(a) {clause}\n" + how.loop(["i", "j"], "t", ["i", "j"], "reduction(+ : failures)")
                + "    for (int i = 0; i < 24; i++)\n        for (int j = 0; j < 32; j++)\n"
                + f"            for (int di = -{widths[0]}; di <= {widths[0]}; di++)\n"
                + f"                for (int dj = -{widths[1]}; dj <= {widths[1]}; dj++)\n"
                + f"                    {condition}failures += a[i + di][j + dj] != 100 * ((i + di + 24) % 24) + (j + dj + 32) % 32;\n"
            )
            yield Case("reflect", clause.split("(")[0] or "all of the shadow", f"{clause}, two dimensions, {how.name}", body)


def whole():
    for how in NOTATIONS:
        body = (
            BEGIN + "    (void)n;\n" + how.nodes("p", ["*"]) + how.template("t", [19]) + how.distribute("t", ["block"], "p")
            + "    long a[19];\n" + how.align("a", ["i"], "t", ["i"]) + how.shadow("a", ["*"]) + how.loop(["i"], "t", ["i"])
            + "    for (int i = 0; i < 19; i++) a[i] = i * i;\n#pragma xmp reflect(a)\n"
            + "    for (int i = 0; i < 19; i++) failures += a[i] != i * i;\n"
        )
        yield Case("shadow", "*", how.name, body)


def back():
    for how in NOTATIONS:
        for periodic in (False, True):
            clause = "width(/periodic/1)" if periodic else ""
            end = "" if periodic else " - (i == 0) - (i == N - 1)"
            body = (
                "    enum { N = 40 };\n" + BEGIN + "    (void)n;\n" + how.nodes("p", ["*"]) + how.template("t", ["N"])
                + how.distribute("t", ["block"], "p") + "    int a[N];\n" + how.align("a", ["i"], "t", ["i"])
                + how.shadow("a", [1]) + how.loop(["i"], "t", ["i"], "expand(/unbound/1)")
                + "    for (int i = 0; i < N; i++) a[i] = 0;\n" + how.loop(["i"], "t", ["i"])
                + f"    for (int i = {0 if periodic else 1}; i < N{'' if periodic else ' - 1'}; i++) {{\n        a[i - 1] += 1;\n        a[i] += 10;\n        a[i + 1] += 100;\n    }}\n"
                + f"#pragma xmp reduce_shadow(a) {clause}\n" + how.loop(["i"], "t", ["i"], "reduction(+ : failures)")
                + ("    for (int i = 0; i < N; i++) failures += a[i] != 111;\n" if periodic else
                   "    for (int i = 0; i < N; i++)\n        failures += a[i] != (i < N - 2) + 10 * (i > 0 && i < N - 1) + 100 * (i > 1);\n")
            )
            yield Case("reduce_shadow", "periodic" if periodic else "", how.name, body)


def narrow():
    """Halos that reach beyond the neighbour's block: 26 elements over 6 nodes leave one to the last; 3 of 8 nodes have some."""
    for how in NOTATIONS:
        for elements, cut in ((26, "block"), (3, "block"), (0, "gblock(widths)")):
            for clause in ("", "width(/periodic/3 : 2)"):
                count = str(elements) if elements else "count"
                widths = "" if elements else (
                    "    int widths[n], count = 0;\n    for (int k = 0; k < n; k++) count += widths[k] = k == 1 ? 0 : 1 + k % 3;\n")
                inside = "" if clause else f"if (i + k >= 0 && i + k < {count}) "
                body = (
                    BEGIN + "    (void)n;\n" + widths + how.nodes("p", ["*"]) + how.template("t", [count]) + how.distribute("t", [cut], "p")
                    + f"    double a[{count}];\n" + how.align("a", ["i"], "t", ["i"]) + how.shadow("a", ["3 : 2"])
                    + how.loop(["i"], "t", ["i"]) + f"    for (int i = 0; i < {count}; i++) a[i] = 100 + i;\n"
                    + f"#pragma xmp reflect(a) {clause}\n" + how.loop(["i"], "t", ["i"], "reduction(+ : failures)")
                    + f"    for (int i = 0; i < {count}; i++)\n        for (int k = -3; k <= 2; k++)\n"
                    + f"            {inside}failures += a[i + k] != 100 + (i + k + 3 * {count}) % {count};\n"
                )
                yield Case("reflect", "narrow blocks", f"{elements or 'gblock'}, {clause or 'all'}, {how.name}", body)
        body = (
            "    enum { N = 26 };\n" + BEGIN + "    (void)n;\n    int expected[N + 4] = {0};\n" + how.nodes("p", ["*"]) + how.template("t", ["N"])
            + how.distribute("t", ["block"], "p") + "    int a[N];\n" + how.align("a", ["i"], "t", ["i"]) + how.shadow("a", [2])
            + how.loop(["i"], "t", ["i"], "expand(/unbound/2)") + "    for (int i = 0; i < N; i++) a[i] = 0;\n" + how.loop(["i"], "t", ["i"])
            + "    for (int i = 2; i < N - 2; i++) {\n        for (int k = -2; k <= 2; k++) a[i + k] += i * (k + 3);\n    }\n#pragma xmp reduce_shadow(a)\n"
            + "    for (int i = 2; i < N - 2; i++)\n        for (int k = -2; k <= 2; k++) expected[i + k] += i * (k + 3);\n"
            + how.loop(["i"], "t", ["i"], "reduction(+ : failures)") + "    for (int i = 0; i < N; i++) failures += a[i] != expected[i];\n"
        )
        yield Case("reduce_shadow", "narrow blocks", how.name, body)
        wide = (
            BEGIN + ROWS + how.nodes("g", ["columns", "rows"]) + how.template("t", [9, 7]) + how.distribute("t", ["block", "block"], "g")
            + "    double a[9][7];\n" + how.align("a", ["i", "j"], "t", ["i", "j"]) + how.shadow("a", ["2 : 3", 2]) + how.loop(["i", "j"], "t", ["i", "j"])
            + "    for (int i = 0; i < 9; i++)\n        for (int j = 0; j < 7; j++) a[i][j] = 10 * i + j;\n"
            + "#pragma xmp reflect(a) width(/periodic/2 : 3, /periodic/2)\n" + how.loop(["i", "j"], "t", ["i", "j"], "reduction(+ : failures)")
            + "    for (int i = 0; i < 9; i++)\n        for (int j = 0; j < 7; j++)\n            for (int di = -2; di <= 3; di++)\n"
            + "                for (int dj = -2; dj <= 2; dj++) failures += a[i + di][j + dj] != 10 * ((i + di + 9) % 9) + (j + dj + 7) % 7;\n"
        )
        yield Case("reflect", "narrow blocks", f"corners, {how.name}", wide)


def cases():
    for part in (lines, planes, whole, back, narrow):
        yield from part()
