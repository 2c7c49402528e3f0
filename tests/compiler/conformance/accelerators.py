# SPDX-License-Identifier: Apache-2.0
"""XcalableACC. The host's elements are changed before the device's are used, so that what is not on the device is seen."""
from notation import Case, NOTATIONS

CUTS = {"block": "block", "cyclic": "cyclic", "block(n)": "block((N + n - 1) / n + 1)"}


def line(how, cut="block", shadow=""):
    return ("    enum { N = 48 };\n    int const n = xmp_num_nodes();\n    (void)n;\n" + how.nodes("p", ["*"]) + how.template("t", ["N"])
            + how.distribute("t", [cut], "p") + "    int a[N], b[N];\n" + how.align("a", ["i"], "t", ["i"])
            + how.align("b", ["i"], "t", ["i"]) + (how.shadow("a", [shadow]) if shadow else ""))


def fill(how, a="i", b="-i"):
    return how.loop(["i"], "t", ["i"]) + f"    for (int i = 0; i < N; i++) a[i] = {a}, b[i] = {b};\n"


def judge(how, wrong):
    return how.loop(["i"], "t", ["i"], "reduction(+ : failures)") + f"    for (int i = 0; i < N; i++) failures += {wrong};\n"


def loops():
    for how in NOTATIONS:
        for cut, text in CUTS.items():
            for kind in ("parallel loop", "kernels loop", "serial loop", "parallel loop async(2)"):
                for order in ("acc first", "xmp first"):
                    for down in (False, True):
                        acc = f"#pragma acc {kind} present(a, b)\n"
                        xmp = how.loop(["i"], "t", ["i"])
                        head = "for (int i = N - 2; i >= 1; i--)" if down else "for (int i = 1; i < N - 1; i++)"
                        body = (line(how, text) + fill(how, "i", "7") + "#pragma acc enter data copyin(a, b)\n" + fill(how, "0", "0")
                                + (acc + xmp if order == "acc first" else xmp + acc) + f"    {head} b[i] = 3 * a[i];\n"
                                + "#pragma acc wait\n#pragma acc exit data delete(a) copyout(b)\n"
                                + judge(how, "b[i] != (i == 0 || i == N - 1 ? 7 : 3 * i)"))
                        yield Case("loop", f"acc {kind.split(' async')[0]}", f"{cut}, {order}, {'down' if down else 'up'}, {kind}, {how.name}", body)


def data():
    parts = {"whole": ("", "1"), "part": ("[5:20]", "i >= 5 && i < 25"), "one": ("[9]", "i == 9"), "none of it": ("[9:0]", "0")}
    for how in NOTATIONS:
        for cut, text in CUTS.items():
            for name, (part, inside) in parts.items():
                kernel = "#pragma acc parallel loop present(a)\n" + how.loop(["i"], "t", ["i"]) + "    for (int i = 0; i < N; i++) a[i] = 2 * a[i];\n"
                begin = line(how, text) + fill(how, "i")
                yield Case("acc data", "copy", f"{name}, {cut}, {how.name}",
                           begin + f"#pragma acc data copy(a{part})\n    {{\n" + kernel + "    }\n" + judge(how, f"a[i] != ({inside} ? 2 * i : i)"))
                yield Case("acc enter data", "copyin", f"{name}, {cut}, {how.name}",
                           begin + f"#pragma acc enter data copyin(a{part})\n" + fill(how, "-5") + kernel + "#pragma acc update self(a)\n"
                           + "#pragma acc exit data delete(a)\n" + how.loop(["i"], "t", ["i"], "reduction(+ : failures)")
                           + f"    for (int i = 0; i < N; i++)\n        if ({inside}) failures += a[i] != 2 * i;\n")
                yield Case("acc exit data", "copyout", f"{name}, {cut}, {how.name}",
                           begin + "#pragma acc enter data copyin(a)\n" + kernel + f"#pragma acc exit data copyout(a{part})\n"
                           + judge(how, f"a[i] != ({inside} ? 2 * i : i)"))
                for word in ("self", "host"):
                    yield Case("acc update", word, f"{name}, {cut}, {how.name}",
                               begin + "#pragma acc enter data copyin(a)\n" + kernel + f"#pragma acc update {word}(a{part})\n"
                               + "#pragma acc exit data delete(a)\n" + judge(how, f"a[i] != ({inside} ? 2 * i : i)"))
                yield Case("acc update", "device", f"{name}, {cut}, {how.name}",
                           begin + "#pragma acc enter data copyin(a)\n" + fill(how, "1000") + f"#pragma acc update device(a{part})\n" + kernel
                           + "#pragma acc exit data copyout(a)\n" + judge(how, f"a[i] != 2 * ({inside} ? 1000 : i)"))


def halos():
    for how in NOTATIONS:
        for low, high in ((1, 1), (2, 1), (0, 1), (2, 0)):
            for periodic in (False, True):
                for way in ("reflect", "async", "reflect_init", "reflect_do async"):
                    clause = f"width({'/periodic/' if periodic else ''}{low}:{high})"
                    reflect = {
                        "reflect": f"#pragma xmp reflect(a) {clause} acc\n",
                        "async": f"#pragma xmp reflect(a) {clause} async(4) acc\n#pragma xmp wait_async(4) acc\n",
                        "reflect_init": f"#pragma xmp reflect_init(a) {clause} acc\n#pragma xmp reflect_do(a) acc\n",
                        "reflect_do async": f"#pragma xmp reflect_init(a) {clause} acc\n#pragma xmp reflect_do(a) async(3) acc\n#pragma xmp wait_async(3) acc\n",
                    }[way]
                    low_end, high_end = ("0", "N") if periodic else (str(low), f"N - {high}")
                    body = (line(how, "block", f"{low} : {high}") + fill(how, "i") + "#pragma acc data copyin(a) copyout(b)\n    {\n" + fill(how, "777")
                            + reflect + "#pragma acc parallel loop present(a, b)\n" + how.loop(["i"], "t", ["i"])
                            + f"    for (int i = 0; i < N; i++) {{\n        int sum = a[i];\n        if (i >= {low_end} && i < {high_end}) sum += 100 * a[i - {low}] + 10000 * a[i + {high}];\n        b[i] = sum;\n    }}\n    }}\n"
                            + judge(how, f"a[i] != 777 || b[i] != i + (i >= {low_end} && i < {high_end} ? 100 * ((i - {low} + N) % N) + 10000 * ((i + {high}) % N) : 0)"))
                    yield Case(way.split()[0] if way != "async" else "reflect", "acc" + (", periodic" if periodic else ""), f"{low}:{high}, {way}, {how.name}", body)


def values():
    operations = {"+": "n * (n + 1) / 2", "*": "(n <= 6 ? product : product)", "max": "n", "min": "1"}
    for how in NOTATIONS:
        for op, wanted in operations.items():
            for way in ("", "async(2) "):
                body = ("    int const n = xmp_num_nodes();\n    int product = 1, x = xmp_node_num();\n    for (int k = 1; k <= n; k++) product *= k;\n    (void)product;\n"
                        + how.nodes("p", ["*"]) + "#pragma acc enter data copyin(x)\n    x = -3;\n" + f"#pragma xmp reduction({op} : x) {way}acc\n"
                        + ("#pragma xmp wait_async(2) acc\n" if way else "") + "    failures += x != -3;\n#pragma acc exit data copyout(x)\n"
                        + f"    failures += x != {wanted};\n")
                yield Case("reduction", "acc", f"{op} {way}{how.name}", body)
        for way in ("", "async(2) "):
            body = ("    int const n = xmp_num_nodes();\n    int x[5];\n    for (int k = 0; k < 5; k++) x[k] = 10 * xmp_node_num() + k;\n" + how.nodes("p", ["*"])
                    + "#pragma acc enter data copyin(x)\n    x[2] = -3;\n" + f"#pragma xmp bcast(x) from p{how.list([how.node('n - 1')])} {way}acc\n"
                    + ("#pragma xmp wait_async(2) acc\n" if way else "") + "    failures += x[2] != -3;\n#pragma acc exit data copyout(x)\n"
                    + "    for (int k = 0; k < 5; k++) failures += x[k] != 10 * n + k;\n#pragma xmp barrier acc\n")
            yield Case("bcast", "acc", f"{way}{how.name}", body)


def moves():
    for how in NOTATIONS:
        for cut, text in CUTS.items():
            for side in ("", "(a)", "(b)"):
                for way in ("", "async(2) "):
                    source, other = ("i", "500") if side != "(b)" else ("500", "i")  # what a has on the device, and on the host
                    moved = "i + 10" if source == "i" else "i + 10"
                    body = (line(how, text) + fill(how, source if side != "(b)" else "500", "9000")
                            + "#pragma acc enter data copyin(a, b)\n" + fill(how, other if side != "(b)" else "i", "8000")
                            + f"#pragma xmp gmove {way}acc{side}\n    b[5:20] = a[15:20];\n" + ("#pragma xmp wait_async(2)\n" if way else ""))
                    if side == "(a)":
                        body += judge(how, f"b[i] != (i >= 5 && i < 25 ? {moved} : 8000)") + "#pragma acc exit data delete(a, b)\n"
                    else:
                        body += judge(how, "b[i] != 8000") + "#pragma acc exit data delete(a) copyout(b)\n" + judge(how, f"b[i] != (i >= 5 && i < 25 ? {moved} : 9000)")
                    yield Case("gmove", "acc" + side, f"{way}{cut}, {how.name}", body)


def cases():
    for part in (loops, data, halos, values, moves):
        yield from part()
