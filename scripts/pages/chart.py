# SPDX-License-Identifier: Apache-2.0
"""A chart of ratios as SVG: a bar for each row, a line at 1, where both are equally fast, and whiskers for the intervals."""
from html import escape

PLOT, NUMBERS = 330, 70  # widths of two of the three columns
CHARACTER = 7.8          # at most, of the third one, in a sans-serif font of 13 px
BOLD, SMALL = 8.6, 6.6   # the same of a title, and of the lines below
ROW, TOP, BOTTOM, SIZE = 24, 34, 34, 13
STYLE = ("text{font:13px sans-serif;fill:#24292f}.small{font-size:11px;fill:#57606a}.title{font-weight:bold}.ours{fill:#2c7a7b}"
         ".number{paint-order:stroke;stroke:#fff;stroke-width:4px}.behind{fill:#c05621}.grid{stroke:#d0d7de}.one{stroke:#24292f;stroke-dasharray:4 3}.whisker{stroke:#24292f;stroke-width:1.5}")


def end_of_axis(rows):
    most = max(max(r["ratio"], (r.get("interval") or [0, 0])[1]) for r in rows)
    return next(end for end in (1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20, 50) if end >= most)


def chart(title, below, rows):
    """rows: label, ratio, interval or None. `below` are lines under the axis: what was measured where."""
    end = end_of_axis(rows)
    labels = 20 + CHARACTER * max(len(r["label"]) for r in rows)
    x = lambda value: labels + PLOT * value / end
    foot = TOP + ROW * len(rows)
    width = round(max(labels + PLOT + NUMBERS, 16 + BOLD * len(title), *(16 + SMALL * len(line) for line in below)))
    height = foot + BOTTOM + 15 * len(below)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
             f'aria-label="{escape(title, True)}"><style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>',
             f'<text x="8" y="20" class="title">{escape(title)}</text>']
    step = next(s for s in (0.25, 0.5, 1, 2, 5, 10) if end / s <= 8)
    for n in range(int(end / step) + 1):
        at = x(n * step)
        kind = "one" if n * step == 1 else "grid"
        parts.append(f'<line x1="{at:.1f}" y1="{TOP - 4}" x2="{at:.1f}" y2="{foot + 4}" class="{kind}"/>'
                     f'<text x="{at:.1f}" y="{foot + 18}" text-anchor="middle" class="small">{n * step:g}</text>')
    if end / step != int(end / step) or 1 / step != int(1 / step):
        parts.append(f'<line x1="{x(1):.1f}" y1="{TOP - 4}" x2="{x(1):.1f}" y2="{foot + 4}" class="one"/>')
    for i, r in enumerate(rows):
        y = TOP + ROW * i
        middle = y + ROW / 2
        parts.append(f'<text x="{labels - 8:.1f}" y="{middle + 4:.1f}" text-anchor="end">{escape(r["label"])}</text>'
                     f'<rect x="{labels:.1f}" y="{y + 4}" width="{x(r["ratio"]) - labels:.1f}" height="{ROW - 8}" '
                     f'class="{"ours" if r["ratio"] >= 1 else "behind"}"/>')
        right = x(r["ratio"])
        if r.get("interval"):
            low, high = (x(v) for v in r["interval"])
            right = max(right, high)
            parts.append(f'<line x1="{low:.1f}" y1="{middle}" x2="{high:.1f}" y2="{middle}" class="whisker"/>')
        parts.append(f'<text x="{right + 6:.1f}" y="{middle + 4:.1f}" class="number">{r["ratio"]:.3g}</text>')
    for i, line in enumerate(below):
        parts.append(f'<text x="8" y="{foot + BOTTOM + 12 + 15 * i}" class="small">{escape(line)}</text>')
    return "\n".join(parts) + "\n</svg>\n"
