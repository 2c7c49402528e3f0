# SPDX-License-Identifier: Apache-2.0
"""Draws a program: nodes, templates, arrays of all mappings, and what is done with them, beside the same in plain C with arrays of its own. It compares after
each step that has a result, and all elements at the end. Values are small integers or halves of them, so that sums do not depend on their order."""
import random

TYPES = ["int", "long", "double", "float", "short", "long long", "unsigned"]
HEAD = """/* seed {seed} */
#include <stdio.h>
#include <xmp.h>
static int wrong;
#define CHECK(c) do {{ if (!(c) && wrong++ < 3) fprintf(stderr, "%s:%d: node %d: %s\\n", __FILE__, __LINE__, xmp_all_node_num(), #c); }} while (0)
"""


def named(name, words, square):
    """name[..][..], or the same in round brackets. `words` are in the order of C: a pair for each dimension if the two notations differ."""
    pairs = [w if isinstance(w, tuple) else (w, w) for w in words]
    return name + ("".join(f"[{a}]" for a, _ in pairs) if square else "(" + ",".join(b for _, b in reversed(pairs)) + ")")


def subscripts(indices):
    return "".join(f"[{i}]" for i in indices)


def shifted(index, offset):
    return f"{index}+{offset}" if offset > 0 else f"{index}{offset}" if offset < 0 else index


class Array:
    """`a` is distributed, `s` the same in plain C, and `l` what a node has of its own."""

    def __init__(self, draw, number, template):
        self.template, (lower, extents, formats) = template, template[1:]
        dims = len(extents)
        follows = draw.sample(range(dims), draw.randint(1, dims))  # of each dimension: of the template, or None
        if len(follows) < 4 and draw.random() < 0.3:
            follows.insert(draw.randint(0, len(follows)), None)
        self.name, self.serial, self.local = f"a{number}", f"s{number}", f"l{number}"
        self.follows, self.type = follows, draw.choice(TYPES)
        self.extents, self.offsets, self.shadow = [], [], []
        for d in follows:
            extent = draw.randint(1, 4) if d is None else draw.choice([extents[d], extents[d], draw.randint(2, extents[d])])
            self.extents.append(extent)
            self.offsets.append(0 if d is None else lower[d] + draw.randint(0, extents[d] - extent))
            whole, cyclic = d is None or formats[d] == "*", d is not None and formats[d].startswith("cyclic")
            widths = [(0, 0), (0, 0), (0, 0), (1, 1), (0, 2)] if whole else [(0, 0)] if cyclic else [(0, 0), (1, 1), (1, 2), (2, 0)]
            self.shadow.append(draw.choice(widths))
        self.indices = [f"i{k}" for k in range(len(follows))]
        self.cyclic = [d is not None and formats[d].startswith("cyclic") for d in follows]

    def on(self, draw):
        """The template's reference for this array's indices."""
        words = ["*"] * len(self.template[2])
        for index, d, offset in zip(self.indices, self.follows, self.offsets):
            if d is not None:
                words[d] = shifted(index, offset)
        return named(self.template[0], words, draw.random() < 0.5)

    def has_shadow(self):
        return any(s != (0, 0) for s in self.shadow)

    def declared(self, draw, kind):
        rows = subscripts(self.extents[1:])
        lines = [f"{self.type} (*{self.name}){rows};" if rows else f"{self.type} *{self.name};"] if kind == "pointer" else \
            [f"{self.type} {self.name}{subscripts(self.extents)};"]
        own = "".join("[*]" if d is None else f"[{i}]" for i, d in zip(self.indices, self.follows))
        lines.append(f"#pragma xmp align {self.name}{own} with {self.on(draw)}")
        if self.has_shadow():
            lines.append(f"#pragma xmp shadow {self.name}" + "".join(f"[{a}:{b}]" if a != b or draw.random() < 0.5 else f"[{a}]" for a, b in self.shadow))
        return lines

    def nest(self, draw, body, everything=True, margin=None, reduction=""):
        """Loops over it, of the nodes and of plain C. `body` gets the array's name and the variable of a sum."""
        heads = []
        for k, (i, extent) in enumerate(zip(self.indices, self.extents)):
            low, high, step = 0, extent, 1
            if margin:
                low, high = margin[k][0], extent - margin[k][1]
            if not everything:
                low = draw.randint(0, extent - 1)
                high = draw.randint(low, extent)
                step = 1 if self.cyclic[k] else draw.choice([1, 1, 2, 3])
            last = low + (high - 1 - low) // step * step
            down = high > low and draw.random() < 0.25
            heads.append(f"for ({i} = {last}; {i} >= {low}; {i} -= {step})" if down else f"for ({i} = {low}; {i} < {high}; {i} += {step})")
        order = draw.sample(heads, len(heads)) if draw.random() < 0.4 else heads
        shared = [i for i, d in zip(self.indices, self.follows) if d is not None]
        draw.shuffle(shared)
        return (f"#pragma xmp loop ({','.join(shared)}) on {self.on(draw)}{reduction}\n{' '.join(order)} {body(self.name, 'got')}\n"
                f"{' '.join(heads)} {body(self.serial, 'wanted')}")


def mapping(draw, ranks):
    """Lines that declare nodes and templates, and the templates: name, lower bounds, extents, formats."""
    lines, nodes, templates = [], [], []
    for k in range(draw.choice([1, 1, 2])):
        shape, rest = [], ranks
        for _ in range(draw.choice([1, 1, 2, 2, 3]) - 1):
            shape.append(draw.choice([x for x in range(1, rest + 1) if rest % x == 0]))
            rest //= shape[-1]
        shape.append(rest)
        draw.shuffle(shape)
        words = [str(x) for x in shape]
        if draw.random() < 0.5:
            words[0] = "*"
        lines.append("#pragma xmp nodes " + named(f"p{k}", words, draw.random() < 0.5))
        nodes.append((f"p{k}", shape))
    for k in range(draw.choice([1, 2, 3])):
        onto, shape = draw.choice(nodes)
        dims = draw.randint(len(shape), min(4, len(shape) + 2))
        most = {1: 13, 2: 13, 3: 9, 4: 6}[dims]
        lower, extents = [draw.randint(-3, 3) for _ in range(dims)], [draw.randint(4, most) for _ in range(dims)]
        formats = ["*"] * dims
        for d, count in zip(sorted(draw.sample(range(dims), len(shape))), shape):
            formats[d] = draw.choice(["block", "block", f"block({-(-extents[d] // count) + draw.randint(0, 2)})", "cyclic", f"cyclic({draw.randint(2, 3)})", "gblock"])
            if formats[d] == "gblock":
                cuts = [0, *sorted(draw.randint(0, extents[d]) for _ in range(count - 1)), extents[d]]
                lines.append(f"int w{k}_{d}[] = {{{','.join(str(b - a) for a, b in zip(cuts, cuts[1:]))}}};")
                formats[d] = f"gblock(w{k}_{d})"
        lines.append("#pragma xmp template " + named(f"t{k}", [(f"{a}:{n}", f"{a}:{a + n - 1}") for a, n in zip(lower, extents)], draw.random() < 0.5))
        lines.append(f"#pragma xmp distribute {named(f't{k}', formats, draw.random() < 0.5)} onto {onto}")
        templates.append((f"t{k}", lower, extents, formats))
    return lines, templates


def section(draw, extent, count):
    step = draw.choice([1, 1, 1, 2, 3, -1, -2])
    if (count - 1) * abs(step) >= extent:
        step = 1 if step > 0 else -1
    span = (count - 1) * abs(step)
    low = draw.randint(0, extent - 1 - span)
    if step == 1 and count == extent and draw.random() < 0.6:
        return ":"
    return f"{low if step > 0 else low + span}:{count}" + ("" if step == 1 else f":{step}")


def gmove(draw, to, of):
    """Sections of two arrays, of as many dimensions."""
    shared = draw.randint(0, min(len(to.extents), len(of.extents)))
    left, right = [str(draw.randrange(n)) for n in to.extents], [str(draw.randrange(n)) for n in of.extents]
    for a, b in zip(sorted(draw.sample(range(len(left)), shared)), sorted(draw.sample(range(len(right)), shared))):
        count = draw.randint(1, min(to.extents[a], of.extents[b]))
        left[a], right[b] = section(draw, to.extents[a], count), section(draw, of.extents[b], count)
    to_index, of_index = subscripts(left), subscripts(right)
    source = draw.choice([of.name, of.name, of.name, of.serial])
    later = draw.random() < 0.15
    return (f"#pragma xmp gmove{' async(9)' if later else ''}\n{to.name}{to_index} = {source}{of_index};\n" + ("#pragma xmp wait_async(9)\n" if later else "") +
            f"{to.serial}{to_index} = {of.serial}{of_index};")


def halo(draw, a):
    """A sum of elements beside each one."""
    if not a.has_shadow():
        return ""
    by = [draw.randint(-lower, upper) for lower, upper in a.shadow]
    wraps = [s != (0, 0) and draw.random() < 0.4 for s in a.shadow]
    margin = [(0, 0) if wrap else (max(0, -x), max(0, x)) for x, wrap in zip(by, wraps)]
    if any(sum(m) >= n for m, n in zip(margin, a.extents)):
        return ""
    width = " width(" + ",".join(f"{'/periodic/' if wrap else ''}{lower}:{upper}" for (lower, upper), wrap in zip(a.shadow, wraps)) + ")"
    if not any(wraps) and draw.random() < 0.5:
        width = ""
    brought = draw.choice([f"#pragma xmp reflect ({a.name}){width}", f"#pragma xmp reflect_init ({a.name}){width}\n#pragma xmp reflect_do ({a.name})",
                           f"#pragma xmp reflect ({a.name}){width} async(4)\n#pragma xmp wait_async(4)"])
    beside = subscripts([shifted(i, x) for i, x in zip(a.indices, by)])
    around = subscripts([f"({i}+{x + 2 * n})%{n}" if wrap else shifted(i, x) for i, x, n, wrap in zip(a.indices, by, a.extents, wraps)])
    return brought + "\n" + summed(
        draw, a, lambda name, to: f"{to} += ({'+'.join(a.indices)}+1) * (double){name}{beside if name == a.name else around};", margin=margin)


def summed(draw, a, body, **how):
    return f"{{\ndouble got = 0, wanted = 0;\n{a.nest(draw, body, reduction=' reduction(+:got)', **how)}\nCHECK(got == wanted);\n}}"


def step(draw, arrays):
    a = draw.choice(arrays)
    own, kind = subscripts(a.indices), draw.choice(["loop", "gmove", "gmove", "gmove", "sum", "halo", "halo", "element", "fill", "array"])
    if kind == "loop":
        added = draw.randint(1, 9)
        return a.nest(draw, lambda name, _: f"{name}{own} = {name}{own} / 2 + {added} + i0;", everything=False)
    if kind == "gmove":
        return gmove(draw, a, draw.choice(arrays))
    if kind == "sum":
        return summed(draw, a, lambda name, to: f"{to} += {name}{own};", everything=draw.random() < 0.5)
    if kind == "halo":
        return halo(draw, a)
    if kind == "element":
        at = subscripts([draw.randrange(n) for n in a.extents])
        return f"{{\n{a.type} x = 0;\n#pragma xmp gmove\nx = {a.name}{at};\nCHECK(x == {a.serial}{at});\n}}"
    if kind == "fill":
        lows = [draw.randrange(n) for n in a.extents]
        part, value = subscripts([f"{low}:{draw.randint(1, n - low)}" for low, n in zip(lows, a.extents)]), draw.randint(0, 30)
        return f"#pragma xmp gmove\n{a.name}{part} = {value};\n{a.serial}{part} = {value};"
    everything = subscripts([":"] * len(a.extents))
    on = named(a.template[0], [":" if d in a.follows else "*" for d in range(len(a.template[2]))], draw.random() < 0.5)
    return f"#pragma xmp array on {on}\n{a.name}{everything} = {a.name}{everything} / 2 + 3;\n{a.serial}{everything} = {a.serial}{everything} / 2 + 3;"


def program(seed):
    """How many ranks it needs, and its text."""
    draw = random.Random(seed)
    ranks = draw.choice([1, 2, 3, 4, 6, 8])
    outside, templates = mapping(draw, ranks)
    arrays = [Array(draw, k, draw.choice(templates)) for k in range(draw.choice([2, 3, 4]))]
    inside = []
    for a in arrays:
        kind = draw.choice(["global", "global", "local", "pointer"])
        (outside if kind == "global" else inside).extend(a.declared(draw, kind))
        if kind == "pointer":
            inside.append(f"{a.name} = xmp_malloc(xmp_desc_of({a.name}), {', '.join(map(str, a.extents))});")
        outside.append(f"{a.type} {a.serial}{subscripts(a.extents)}, {a.local}{subscripts(a.extents)};")
    for a in arrays:
        value = "+".join(f"{7 ** k % 23}*{i}" for k, i in enumerate(a.indices))
        inside.append(a.nest(draw, lambda name, _, a=a, value=value: f"{name}{subscripts(a.indices)} = ({value} + 1) % 97;"))
    inside += [step(draw, arrays) for _ in range(draw.randint(6, 14))]
    for a in arrays:
        everything, own = subscripts([":"] * len(a.extents)), subscripts(a.indices)
        inside.append(f"#pragma xmp gmove\n{a.local}{everything} = {a.name}{everything};")
        inside.append(" ".join(f"for ({i} = 0; {i} < {n}; {i}++)" for i, n in zip(a.indices, a.extents)) + f" CHECK({a.local}{own} == {a.serial}{own});")
    return ranks, HEAD.format(seed=seed) + "\n".join([*outside, "int main(void) {", "int i0, i1, i2, i3, i4;", *inside, "return wrong != 0;", "}", ""])
