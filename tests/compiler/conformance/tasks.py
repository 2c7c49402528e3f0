# SPDX-License-Identifier: Apache-2.0
"""task, tasks, barrier and the sets of nodes that they name."""
from notation import Case, NOTATIONS, ROWS


def sets():
    # what is named, and who is in
    ones = {
        "one node": (lambda how: how.node("n - 1"), "me == n - 1"),
        "half of them": (lambda how: how.some("0", "(n + 1) / 2"), "me < (n + 1) / 2"),
        "every second": (lambda how: how.some("0", "(n + 1) / 2", 2), "me % 2 == 0"),
        "all": (lambda how: ":", "1"),
        "the own one": (lambda how: "*", "1"),
    }
    for how in NOTATIONS:
        for name, (words, member) in ones.items():
            for clause in ("", "nocomm"):
                count = "1" if name in ("one node", "the own one") else "total"
                numbers = "" if clause else (
                    f"    int total = 0;\n    for (int k = 0; k < n; k++) {{\n        int const me = k;\n        (void)me;\n        total += {member};\n    }}\n"
                    f"    (void)total;\n")
                inside = "        in = 1;\n" + ("" if clause else
                    f"        failures += xmp_num_nodes() != {count};\n        int sum = 1;\n#pragma xmp reduction(+ : sum)\n        failures += sum != {count};\n#pragma xmp barrier\n")
                body = (
                    "    int const n = xmp_num_nodes(), me = xmpc_node_num();\n    int in = 0;\n    (void)me;\n" + numbers
                    + how.nodes("p", ["n"]) + f"#pragma xmp task on p{how.list([words(how)])} {clause}\n    {{\n{inside}    }}\n"
                    + f"    failures += in != ({member});\n"
                )
                yield Case("task", "on nodes" + (", nocomm" if clause else ""), f"{name}, {how.name}", body)


def templates():
    for how in NOTATIONS:
        for kind in ("block", "cyclic", "cyclic(2)"):
            for name, words in (("one index", "5"), ("a range", how.range("3", "6")), ("all", ":")):
                indices = {"one index": "i == 5", "a range": "i >= 3 && i < 9", "all": "1"}[name]
                body = (
                    "    enum { N = 17 };\n    int mine = 0, in = 0;\n" + how.nodes("p", ["*"]) + how.template("t", ["N"])
                    + how.distribute("t", [kind], "p") + how.loop(["i"], "t", ["i"])
                    + f"    for (int i = 0; i < N; i++) mine = mine || ({indices});\n"
                    + f"#pragma xmp task on t{how.list([words])}\n    {{\n        in = 1;\n#pragma xmp barrier\n    }}\n    failures += in != mine;\n"
                )
                yield Case("task", "on a template", f"{kind}, {name}, {how.name}", body)


def planes():
    for how in NOTATIONS:
        for name, words, sum_ in (("a row", ["*", ":"], "rows"), ("a column", [":", "*"], "columns"), ("all", [":", ":"], "n")):
            body = (
                "    int const n = xmp_num_nodes();\n" + ROWS + how.nodes("g", ["columns", "rows"])
                + f"    int one = 1, inside = 0;\n#pragma xmp reduction(+ : one) on g{how.list(words)}\n    failures += one != {sum_};\n"
                + f"#pragma xmp barrier on g{how.list(words)}\n#pragma xmp task on g{how.list(words)}\n    inside = xmp_num_nodes();\n"
                + f"    failures += inside != {sum_};\n"
            )
            yield Case("reduction", "on a part of nodes", f"{name}, {how.name}", body)


def others():
    for how in NOTATIONS:
        first, last = how.list([how.node("0")]), how.list([how.node("n - 1")])
        body = (
            "    int const n = xmp_num_nodes(), me = xmpc_node_num();\n    int in = 0;\n" + how.nodes("p", ["n"])
            + f"#pragma xmp tasks\n    {{\n#pragma xmp task on p{first}\n        in += 1;\n#pragma xmp task on p{last}\n        in += 2;\n    }}\n"
            + "    failures += in != (me == 0) + 2 * (me == n - 1);\n#pragma xmp barrier\n#pragma xmp barrier on p\n"
        )
        yield Case("tasks", "", how.name, body)
        part = how.list([how.some("0", "(n + 1) / 2")])
        body = (
            "    int const n = xmp_num_nodes(), me = xmpc_node_num();\n    int size = 0, place = 0;\n" + how.nodes("p", ["n"])
            + how.nodes("q", ["*"], "p" + part)
            + "    xmp_nodes_size(xmp_desc_of(q), 1, &size);\n    failures += size != (n + 1) / 2;\n"
            + "    failures += (xmpc_nodes_index(xmp_desc_of(q), 1, &place) == 0) != (me < (n + 1) / 2);\n"
            + "    int sum = 1;\n#pragma xmp reduction(+ : sum) on q\n    failures += sum != (me < (n + 1) / 2 ? (n + 1) / 2 : 1);\n"
        )
        yield Case("nodes", "a part", how.name, body)


def cases():
    for part in (sets, templates, planes, others):
        yield from part()
