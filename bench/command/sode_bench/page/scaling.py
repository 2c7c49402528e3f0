# SPDX-License-Identifier: Apache-2.0
"""Laplace and Himeno over the ranks: a table and a picture a problem, strong or weak."""
import statistics
from html import escape

from ..names import time_text
from ..table import hybrid_methods
from .svg import Drawing, Linear

WIDTH, HEIGHT = 440, 280
LEFT, RIGHT, TOP, BOTTOM = 46, 110, 30, 42
COLOURS = {"sode": "s1", "mpi": "s3", "mpi-overlap": "s5", "openmp": "s4"}


def times(results, case):
    """{(ranks, method): (microseconds, set-up, blocks)}: of each method its best set-up, the regime that most blocks saw."""
    found = {}
    for ranks in sorted(r for r, c in results.cases("hybrid") if c == case):
        regimes = results.regimes("hybrid", ranks)
        if not regimes:
            continue
        regime = max(regimes, key=lambda r: len(results.times_of("hybrid", ranks, case, r, "sode")))
        ours = results.times_of("hybrid", ranks, case, regime, "sode")
        if not ours:
            continue
        found[(ranks, "sode")] = statistics.median(ours), "", len(ours)
        for method in hybrid_methods(results, ranks, case):
            cells = [(statistics.median(v), setup, len(v)) for (setup, name), v in results.times("hybrid", ranks, case, regime).items()
                     if name == method]
            if cells:
                found[(ranks, method)] = min(cells)
    return found


def efficiency(found, ranks, method):
    """Against Sode on one rank: the speed-up of a strong problem, and as well the share of one rank's speed of a weak one."""
    base = found.get((1, "sode"))
    if not base:
        return None
    us = found[(ranks, method)][0]
    return base[0] / us


def methods_of(found):
    return list(dict.fromkeys(["sode"] + [m for _, m in found]))


def table(results, case):
    found = times(results, case)
    weak = case.endswith("weak")
    methods = methods_of(found)
    head = "".join(f"<th>{escape(m)}</th>" for m in methods)
    body = ""
    for ranks in sorted({r for r, _ in found}):
        cells = ""
        for method in methods:
            if (ranks, method) not in found:
                cells += "<td>–</td>"
                continue
            us, setup, blocks = found[(ranks, method)]
            ratio = us / found[(ranks, "sode")][0]
            beside = f"{ratio:.2f} × sode" if method != "sode" else f"{blocks} blocks"
            share = efficiency(found, ranks, method)
            if share is not None and ranks > 1:
                beside += f", {f'{share:.0%} of one rank' if weak else f'speed-up {share:.2f}'}"
            cells += f'<td>{time_text(us)}<small>{escape(beside)}{f", {escape(setup)}" if setup else ""}</small></td>'
        body += f"<tr><th>{ranks}</th>{cells}</tr>"
    return f'<div class="wide"><table><thead><tr><th>ranks</th>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def chart(results, case):
    """Speed-up over ranks; None if there is but one number of ranks."""
    found = times(results, case)
    weak = case.endswith("weak")
    counts = sorted({r for r, _ in found})
    if len(counts) < 2 or (1, "sode") not in found:
        return None
    shares = {key: efficiency(found, *key) for key in found}
    d = Drawing(WIDTH, HEIGHT, f"scaling of {case}")
    d.text(LEFT, 16, f"{case}: {'share of one rank’s speed' if weak else 'speed-up'} over ranks", "strong")
    x = Linear(counts[0], counts[-1], LEFT + 12, WIDTH - RIGHT)
    y = Linear(0, max([*shares.values(), 1 if weak else counts[-1]]) * 1.05, HEIGHT - BOTTOM, TOP)
    for tick in y.ticks(5):
        d.line(LEFT, y(tick), WIDTH - RIGHT + 12, y(tick), "grid")
        d.text(LEFT - 8, y(tick) + 4, f"{tick:.0%}" if weak else f"{tick:g}", "small muted", "end")
    for n in counts:
        d.text(x(n), HEIGHT - BOTTOM + 17, n, "small muted", "middle")
    d.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "ranks", "small muted", "middle")
    d.path([(x(n), y(1 if weak else n)) for n in counts], "ideal")
    ends = []
    for method in reversed(methods_of(found)):
        colour = COLOURS.get(method, "s6")
        line = [(n, shares[(n, method)]) for n in counts if (n, method) in shares]
        d.path([(x(n), y(s)) for n, s in line], f"curve {colour}")
        for n, s in line:
            d.dot(x(n), y(s), 3.5, f"point {colour}", f"{method}, {n} ranks: {time_text(found[(n, method)][0])}")
        ends.append((y(line[-1][1]), method, colour, x(line[-1][0])))
    beside_ends(d, ends)
    return d.svg()


def beside_ends(d, ends):
    """Names at the ends of their lines, moved apart where those meet."""
    last = -1e9
    for at, method, colour, x in sorted(ends):
        last = max(at, last + 14)
        d.text(x + 10, last + 4, method, f"small label {colour}")
