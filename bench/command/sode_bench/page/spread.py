# SPDX-License-Identifier: Apache-2.0
"""How samples spread: every block's median as a dot, their quartiles as a box, for ours and the best rivals of a case."""
import statistics

from ..names import case_label, time_text
from ..results import KINDS
from .svg import Drawing, Linear, text_width

WIDTH, LABEL, ROW = 440, 176, 22
RIVALS = 5


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0], values[0]
    return tuple(statistics.quantiles(values, n=4, method="inclusive"))


def rows_of(results, ranks, case, regime):
    """[(label, colour, blocks)]: ours, then the fastest rivals, the best window among them."""
    cells = results.times("halo", ranks, case, regime)
    rows = [(name, colour, results.times_of("halo", ranks, case, regime, name)) for name, colour in (("array", "s1"), ("buffered", "s2"))]
    rivals = sorted(((statistics.median(v), setup, style, v) for (setup, style), v in cells.items() if style not in results.ours("halo")),
                    key=lambda r: r[0])
    messages = [r for r in rivals if r[2] in KINDS["messages"]][:RIVALS - 1]
    windows = [r for r in rivals if r[2] in KINDS["window"]][:1]
    for _, setup, style, values in sorted(messages + windows):
        rows.append((f"{setup} {style}", "s4" if style in KINDS["window"] else "s3", values))
    return [r for r in rows if r[2]]


def chart(results, ranks, case, regime):
    rows = rows_of(results, ranks, case, regime)
    if not rows:
        return None
    top, bottom = 30, 26
    d = Drawing(WIDTH, top + ROW * len(rows) + bottom, f"samples of {case_label(case)}")
    d.text(0, 16, case_label(case) + (f", {ranks} ranks" if ranks != 2 else ""), "strong")
    # A few blocks are interrupted by something else; the axis ends where it would be theirs alone.
    high = 1.25 * max(quartiles(v)[2] for _, _, v in rows)
    x = Linear(0, high, LABEL, WIDTH - 14)
    end = top + ROW * len(rows)
    for tick in x.ticks(4):
        d.line(x(tick), top, x(tick), end, "grid")
        if x(tick) + text_width(time_text(tick), 11) / 2 < WIDTH:
            d.text(x(tick), end + 16, time_text(tick) if tick else "0", "small muted", "middle")
    for i, (name, colour, values) in enumerate(rows):
        strip(d, x, top + i * ROW + ROW / 2, name, colour, values)
    return d.svg()


def strip(d, x, y, name, colour, values):
    first, middle, third = quartiles(values)
    d.text(LABEL - 8, y + 4, name, "small", "end")
    tip = f"{name}: median {time_text(middle)}, quartiles {time_text(first)} and {time_text(third)}, {len(values)} blocks"
    outside = sum(v > x.high for v in values)
    d.rect(x(first), y - 7, max(x(third) - x(first), 1), 14, f"box {colour}", tip, 2)
    shown = sorted(v for v in values if v <= x.high)
    for v in shown[::max(1, len(shown) // 60)]:
        d.dot(x(v), y, 2, f"sample {colour}")
    d.line(x(middle), y - 8, x(middle), y + 8, f"median {colour}")
    if outside:
        d.text(x.end + 12, y + 4, f"+{outside} ▸", "small muted", "end")
