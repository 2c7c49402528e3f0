# SPDX-License-Identifier: Apache-2.0
"""Elements of every kind, memory for pointers of every number of dimensions, members of structures, names of array types."""
from notation import Case, NOTATIONS

# what is declared before, the type, the value of element i, and whether x is that of element k
KINDS = {
    "structure": ("struct pair_ID { int a; double b[2]; };\n", "struct pair_ID", "", "x.a == k && x.b[0] == 2. * k && x.b[1] == 3", "{(int)i, {2. * (double)i, 3}}"),
    "long double": ("", "long double", "(long double)i * 0.5L", "x == (long double)k * 0.5L", ""),
    "_Bool": ("#ifndef __cplusplus\n#include <stdbool.h>\n#endif\n", "bool", "i % 3 == 0", "x == (k % 3 == 0)", ""),
    "unsigned char": ("", "unsigned char", "(unsigned char)i", "x == (unsigned char)k", ""),
    "unsigned long long": ("", "unsigned long long", "(unsigned long long)i", "x == (unsigned long long)k", ""),
    "enumeration": ("enum color_ID { red_ID, green_ID, blue_ID };\n", "enum color_ID", "(enum color_ID)(i % 3)", "x == (enum color_ID)(k % 3)", ""),
    "__int128": ("", "__int128", "(__int128)i << 70", "x == (__int128)k << 70", ""),
}


def kinds():
    for how in NOTATIONS:
        for cut in ("block", "cyclic(2)"):
            for name, (before, kind, value, same, braces) in KINDS.items():
                store = f"        {kind} const v = {braces};\n        a_ID[i] = v;\n" if braces else f"        a_ID[i] = {value};\n"
                outside = (
                    before + how.nodes("p_ID", ["*"]) + how.template("t_ID", [23]) + how.distribute("t_ID", [cut], "p_ID")
                    + f"static {kind} a_ID[23], b_ID[23];\n" + how.align("a_ID", ["i"], "t_ID", ["i"]) + how.align("b_ID", ["i"], "t_ID", ["i"])
                    + (how.shadow("a_ID", [1]) if cut == "block" else "")
                )
                body = (
                    f"    {kind} full[23];\n" + how.loop(["i"], "t_ID", ["i"]) + "    for (int i = 0; i < 23; i++) {\n" + store + "    }\n"
                    + ("#pragma xmp reflect(a_ID)\n" if cut == "block" else "")
                    + "#pragma xmp gmove\n    b_ID[2:10] = a_ID[5:10];\n#pragma xmp gmove\n    full[:] = a_ID[:];\n"
                    + f"    for (int k = 0; k < 23; k++) {{\n        {kind} const x = full[k];\n        failures += !({same});\n    }}\n"
                    + "#pragma xmp gmove\n    full[0:10] = b_ID[2:10];\n"
                    + f"    for (int k = 5; k < 15; k++) {{\n        {kind} const x = full[k - 5];\n        failures += !({same});\n    }}\n"
                )
                yield Case("align", "elements", f"{name}, {cut}, {how.name}", body, outside)


def memory():
    extents, letters = [6, 5, 4, 3, 2, 2, 2], "ijklmno"
    for how in NOTATIONS:
        for dims in range(1, 8):
            for split in range(1, min(dims, 3) + 1):
                ext, names = extents[:dims], letters[:dims]
                declared = "long* a_ID;\n" if dims == 1 else "long (*a_ID)" + "".join(f"[{e}]" for e in ext[1:]) + ";\n"
                nest = "".join(f"    for (int {v} = 0; {v} < {e}; {v}++)\n" for v, e in zip(names, ext))
                value = " + ".join(f"{10 ** q} * {v}" for q, v in enumerate(names))
                at = "".join(f"[{v}]" for v in names)
                outside = (
                    how.nodes("p_ID", ["*"] * split) + how.template("t_ID", ext[:split]) + how.distribute("t_ID", ["block"] * split, "p_ID")
                    + "static " + declared + how.align("a_ID", [v if q < split else "*" for q, v in enumerate(names)], "t_ID", names[:split])
                    + how.shadow("a_ID", [int(q < split) for q in range(dims)])
                )
                cast = "long*" if dims == 1 else "long (*)" + "".join(f"[{e}]" for e in ext[1:])
                body = (
                    f"    a_ID = ({cast})xmp_malloc(xmp_desc_of(a_ID), {', '.join(str(e) for e in ext)});\n"
                    + how.loop(list(names[:split]), "t_ID", list(names[:split])) + nest + f"    a_ID{at} = {value};\n"
                    + "#pragma xmp reflect(a_ID)\n    long sum = 0, want = 0, full" + "".join(f"[{e}]" for e in ext) + ";\n"
                    + how.loop(list(names[:split]), "t_ID", list(names[:split]), "reduction(+ : sum)") + nest
                    + f"    sum += a_ID{at} + (i > 0 ? a_ID[i - 1]{at[3:]} : 0);\n" + nest
                    + f"    want += {value} + (i > 0 ? {value} - 1 : 0);\n    failures += sum != want;\n"
                    + "#pragma xmp gmove\n    full" + "[:]" * dims + " = a_ID" + "[:]" * dims + ";\n" + nest + f"    failures += full{at} != {value};\n"
                    + "    xmp_free(xmp_desc_of(a_ID));\n"
                )
                yield Case("align", "xmp_malloc", f"{dims} dimensions, {split} split, {how.name}", body, outside)


def members():
    for how in NOTATIONS:
        for cut in ("block", "cyclic(2)"):
            outside = (
                how.nodes("p_ID", ["*"]) + how.template("t_ID", [20]) + how.distribute("t_ID", [cut], "p_ID")
                + "static struct {\n    int k;\n    double a[20];\n    struct {\n        int z[20];\n    } in;\n} s_ID;\n"
                + how.align("s_ID.a", ["i"], "t_ID", ["i"]) + how.align("s_ID.in.z", ["i"], "t_ID", ["i"])
                + (how.shadow("s_ID.a", [1]) if cut == "block" else "")
            )
            body = (
                "    double x[20];\n    int z[20];\n    s_ID.k = 3;\n" + how.loop(["i"], "t_ID", ["i"])
                + "    for (int i = 0; i < 20; i++) {\n        s_ID.a[i] = s_ID.k + i;\n        s_ID.in.z[i] = -i;\n    }\n"
                + ("#pragma xmp reflect(s_ID.a)\n" + how.loop(["i"], "t_ID", ["i"], "reduction(+ : failures)")
                   + "    for (int i = 1; i < 19; i++) failures += s_ID.a[i - 1] + s_ID.a[i + 1] != 2 * (i + 3);\n" if cut == "block" else "")
                + f"#pragma xmp array on t_ID{how.list([':'])}\n    s_ID.a[:] = s_ID.a[:] * 2;\n"
                + "#pragma xmp gmove\n    x[:] = s_ID.a[:];\n#pragma xmp gmove\n    z[:] = s_ID.in.z[:];\n"
                + "    for (int i = 0; i < 20; i++) failures += x[i] != 2 * (i + 3) || z[i] != -i;\n"
            )
            yield Case("align", "members of structures", f"{cut}, {how.name}", body, outside)


def named_types():
    for how in NOTATIONS:
        outside = (
            "typedef double row_ID[7];\ntypedef row_ID matrix_ID[11];\n" + how.nodes("p_ID", ["*"]) + how.template("t_ID", [11])
            + how.distribute("t_ID", ["block"], "p_ID") + "static matrix_ID m_ID;\nstatic row_ID r_ID[11];\n"
            + how.align("m_ID", ["i", "*"], "t_ID", ["i"]) + how.align("r_ID", ["i", "*"], "t_ID", ["i"]) + how.shadow("m_ID", [1, 0])
        )
        body = (
            how.loop(["i"], "t_ID", ["i"]) + "    for (int i = 0; i < 11; i++)\n        for (int j = 0; j < 7; j++) m_ID[i][j] = r_ID[i][j] = 10 * i + j;\n"
            + "#pragma xmp reflect(m_ID)\n    double sum = 0;\n" + how.loop(["i"], "t_ID", ["i"], "reduction(+ : sum)")
            + "    for (int i = 1; i < 10; i++)\n        for (int j = 0; j < 7; j++) sum += m_ID[i - 1][j] + m_ID[i + 1][j] - r_ID[i][j];\n"
            + "    double want = 0;\n    for (int i = 1; i < 10; i++)\n        for (int j = 0; j < 7; j++) want += 10 * i + j;\n    failures += sum != want;\n"
        )
        yield Case("align", "names of array types", how.name, body, outside)


def cases():
    for part in (kinds, memory, members, named_types):
        yield from part()
