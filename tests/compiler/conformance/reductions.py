# SPDX-License-Identifier: Apache-2.0
"""reduction, as a directive and as a clause, of every operation and type; bcast."""
from notation import Case, NOTATIONS

INTEGERS = ["char", "short", "int", "long", "unsigned"]
REALS = ["float", "double"]
# what a rank has, what is combined in C, what to begin with, and the types
OPERATIONS = {
    "+": ("k % 5 + 1", "r + x", "0", INTEGERS + REALS),
    "-": ("k % 5 + 1", "r + x", "0", ["int", "double"]),
    "*": ("k % 2 + 1", "r * x", "1", ["int", "long", "double"]),
    "max": ("(k * 7) % 11 - 3", "x > r ? x : r", "-100", ["int", "long", "short"] + REALS),
    "MIN": ("(k * 7) % 11 + 3", "x < r ? x : r", "100", ["int", "unsigned", "char"] + REALS),
    "&": ("~(1 << k % 7)", "r & x", "~0", ["int", "long", "unsigned"]),
    "|": ("1 << k % 7", "r | x", "0", ["int", "char", "unsigned"]),
    "^": ("k * 5 + 1", "r ^ x", "0", ["int", "long"]),
    "&&": ("k != 3", "r && x", "1", ["int", "long"]),
    "||": ("k == 2", "r || x", "0", ["int", "char"]),
}


def directives():
    for operation, (value, combined, begin, types) in OPERATIONS.items():
        for kind in types:
            body = (
                f"    int const n = xmp_num_nodes();\n    int k = xmpc_node_num();\n    {kind} s = ({kind})({value}), list[3];\n"
                f"    for (int j = 0; j < 3; j++) {{\n        k = xmpc_node_num() + j;\n        list[j] = ({kind})({value});\n    }}\n"
                + NOTATIONS[0].nodes("p", ["*"]) + f"#pragma xmp reduction({operation} : s, list) on p\n"
                f"    for (int j = 0; j < 3; j++) {{\n        {kind} r = ({kind})({begin});\n"
                f"        for (int who = 0; who < n; who++) {{\n            k = who + j;\n            {kind} x = ({kind})({value});\n"
                f"            r = ({kind})({combined});\n        }}\n        if (j == 0) failures += s != r;\n"
                "        failures += list[j] != r;\n    }\n"
            )
            yield Case("reduction", operation, kind, body)


def clauses():
    for how in NOTATIONS:
        for operation, (value, combined, begin, types) in OPERATIONS.items():
            for kind in types[:2]:
                for cut in ("block", "cyclic(2)"):
                    combine = combined if operation != "-" else "r - x"
                    body = (
                        "    enum { N = 21 };\n" + how.nodes("p", ["*"]) + how.template("t", ["N"])
                        + how.distribute("t", [cut], "p")
                        + f"    {kind} r = ({kind})({begin}), want = r;\n" + how.loop(["k"], "t", ["k"], f"reduction({operation} : r)")
                        + f"    for (int k = 0; k < N; k++) {{\n        {kind} x = ({kind})({value});\n        r = ({kind})({combine});\n    }}\n"
                        + f"    {{\n        {kind} r = want;\n        for (int k = 0; k < N; k++) {{\n            {kind} x = ({kind})({value});\n"
                        + f"            r = ({kind})({combine});\n        }}\n        want = r;\n    }}\n    failures += r != want;\n"
                    )
                    yield Case("loop", f"reduction({operation})", f"{kind}, {cut}, {how.name}", body)


def located():
    for how in NOTATIONS:
        for kind, better in (("firstmax", ">"), ("lastmax", ">="), ("firstmin", "<"), ("lastmin", "<=")):
            for cut in ("block", "block((N + n - 1) / n + 1)"):
                body = (
                    "    enum { N = 26 };\n    int const n = xmp_num_nodes();\n    (void)n;\n" + how.nodes("p", ["*"])
                    + how.template("t", ["N"]) + how.distribute("t", [cut], "p")
                    + f"    double best = {'-' if 'max' in kind else ''}1000, want = best;\n    int at = -1, where = -1, twice = 0;\n"
                    + how.loop(["i"], "t", ["i"], f"reduction({kind} : best / at, twice /)")
                    + f"    for (int i = 0; i < N; i++)\n        if (i * 7 % 10 {better} best) {{\n            best = i * 7 % 10;\n"
                    + "            at = i;\n            twice = 2 * i;\n        }\n"
                    + f"    for (int i = 0; i < N; i++)\n        if (i * 7 % 10 {better} want) {{\n            want = i * 7 % 10;\n"
                    + "            where = i;\n        }\n    failures += best != want || at != where || twice != 2 * where;\n"
                )
                yield Case("loop", f"reduction({kind})", f"{cut}, {how.name}", body)


def bcasts():
    for how in NOTATIONS:
        for kind in ("char", "int", "double"):
            for source in ("0", "n - 1", "n / 2"):
                body = (
                    f"    int const n = xmp_num_nodes(), me = xmpc_node_num();\n    {kind} x = ({kind})(me + 1), list[5];\n"
                    f"    for (int j = 0; j < 5; j++) list[j] = ({kind})(10 * me + j);\n" + how.nodes("p", ["n"])
                    + f"#pragma xmp bcast(x, list[1:3]) from p{how.list([how.node(source)])} on p\n"
                    f"    failures += x != ({kind})({source} + 1);\n"
                    f"    for (int j = 0; j < 5; j++)\n        failures += list[j] != ({kind})(10 * (j >= 1 && j < 4 ? {source} : me) + j);\n"
                )
                yield Case("bcast", "from", f"{kind}, node {source}, {how.name}", body)
        body = (
            "    int const n = xmp_num_nodes(), me = xmpc_node_num();\n    long x = me;\n" + how.nodes("p", ["n"])
            + how.template("t", ["3 * n"]) + how.distribute("t", ["block"], "p")
            + f"#pragma xmp bcast(x) from t{how.list(['3 * n - 2'])}\n    failures += x != n - 1;\n"
        )
        yield Case("bcast", "from a template", how.name, body)


def cases():
    for part in (directives, clauses, located, bcasts):
        yield from part()
