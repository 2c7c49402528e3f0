# SPDX-License-Identifier: Apache-2.0
"""Time of an exchange over its size: a small picture for each family of cases."""
import statistics

from ..names import bytes_text, family, family_label, time_text
from ..results import KINDS
from .svg import Drawing, Log

WIDTH, HEIGHT = 440, 280
LEFT, RIGHT, TOP, BOTTOM = 62, 16, 30, 42


def series(results, ranks, case, regime):
    """{name: (microseconds, tip)}"""
    found = {}
    for name in ("array", "buffered"):
        times = results.times_of("halo", ranks, case, regime, name)
        if times:
            found[name] = statistics.median(times), f"{name}: {time_text(statistics.median(times))}, {len(times)} blocks"
    for kind, styles in KINDS.items():
        best = results.best("halo", ranks, case, regime, "array", styles)
        if best:
            found[kind] = best.us, f"{best.setup}/{best.style}: {time_text(best.us)}"
    return found


COLOURS = {"messages": "s3", "window": "s4", "buffered": "s2", "array": "s1"}


def families(results, regime):
    """{(ranks, family): [(bytes, case)]}, of two sizes or more."""
    found = {}
    for ranks, case in results.cases("halo"):
        key = family(case)
        sizes = results.sizes.get(("halo", ranks, case))
        if key and sizes and results.times_of("halo", ranks, case, regime, "array"):
            found.setdefault((ranks, key[0]), []).append((sizes["bytes"], case))
    return {k: sorted(v) for k, v in found.items() if len({b for b, _ in v}) > 1}


def charts(results, regime):
    return [picture(results, regime, ranks, key, sized) for (ranks, key), sized in families(results, regime).items()]


def picture(results, regime, ranks, key, sized):
    points = {}
    for size, case in sized:
        for name, (us, tip) in series(results, ranks, case, regime).items():
            points.setdefault(name, []).append((size, us, tip))
    title = family_label(key) + (f", {ranks} ranks" if ranks != 2 else "")
    return drawing(title, points, COLOURS, "received from others by a rank", list(dict.fromkeys(size for size, _ in sized)))


def drawing(title, points, colours, below, sizes):
    """`points`: {name: [(bytes, microseconds, tip)]}; `sizes`: all bytes, ascending."""
    all_us = [us for line in points.values() for _, us, _ in line]
    x = Log(sizes[0], sizes[-1], LEFT, WIDTH - RIGHT)
    y = Log(min(all_us), max(all_us), HEIGHT - BOTTOM, TOP)
    d = Drawing(WIDTH, HEIGHT, f"time over size, {title}")
    d.text(LEFT, 16, title, "strong")
    for tick in y.ticks():
        d.line(LEFT, y(tick), WIDTH - RIGHT, y(tick), "grid")
        d.text(LEFT - 8, y(tick) + 4, time_text(tick), "small muted", "end")
    last = -1e9
    for size in sizes:
        d.line(x(size), HEIGHT - BOTTOM, x(size), HEIGHT - BOTTOM + 4, "axis")
        if x(size) - last > 52:
            d.text(min(x(size), WIDTH - 34), HEIGHT - BOTTOM + 17, bytes_text(size), "small muted", "middle")
            last = x(size)
    d.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis")
    d.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, below, "small muted", "middle")
    for name, colour in colours.items():
        line = points.get(name, [])
        d.path([(x(size), y(us)) for size, us, _ in line], f"curve {colour}")
        for size, us, tip in line:
            d.dot(x(size), y(us), 3.5, f"point {colour}", tip)
    return d.svg()


def legend():
    return ('<p class="legend"><span><i class="key s1"></i>ours, <code>array</code></span><span><i class="key s2"></i>ours, '
            '<code>buffered</code></span><span><i class="key s3"></i>best message style</span>'
            '<span><i class="key s4"></i>best shared window</span></p>')
