# SPDX-License-Identifier: Apache-2.0
"""How many times longer the best rival takes: a bar a case."""
import statistics

from ..names import case_label, time_text
from ..table import compared, verdict
from .svg import Drawing, Linear

ROW, LABEL, PLOT, WORDS = 38, 210, 440, 330
KINDS = (("messages", "s3", 3), ("window", "s4", 17))
AT_MOST = 5.0  # longer bars are cut, their number stands beside them


def chart(results, regime):
    """One regime's cases; None if nothing was measured in it."""
    rows = []
    for ranks, case in results.cases("halo"):
        found = {kind: compared(results, ranks, case, regime, kind) for kind, _, _ in KINDS}
        if any(found.values()):
            rows.append((case_label(case) + (f" ({ranks} ranks)" if ranks != 2 else ""), found))
    return bars(rows, KINDS, f"best rival / ours, {regime}") if rows else None


def bars(rows, kinds, about, at_most=AT_MOST):
    """`rows`: [(label, {kind: (best rival, reference or None) or None})]; `kinds`: (kind, colour, how far below the row's top)."""
    top = 26
    d = Drawing(LABEL + PLOT + WORDS, top + ROW * len(rows) + 22, about)
    longest = max(found[k][0].ratio for _, found in rows for k, _, _ in kinds if found[k])
    x = Linear(0, max(1.25, min(longest * 1.08, at_most)), LABEL, LABEL + PLOT)
    for tick in x.ticks(6):
        d.line(x(tick), top, x(tick), top + ROW * len(rows), "grid")
        d.text(x(tick), top - 8, f"{tick:g}×", "small muted", "middle")
    for i, (label, found) in enumerate(rows):
        row(d, x, top + i * ROW, label, found, kinds)
    d.line(x(1), top, x(1), top + ROW * len(rows), "one")
    d.text(x(1), top + ROW * len(rows) + 15, "as fast", "small muted", "middle")
    return d.svg()


def row(d, x, y, label, found, kinds):
    d.text(LABEL - 10, y + 21, label, "", "end")
    for kind, colour, below in kinds:
        if not found[kind]:
            continue
        best, reference = found[kind]
        at, end = y + below + 1, min(best.ratio, x.high)
        told = verdict(best.ratio, reference)
        tip = (f"{best.setup}/{best.style}: {time_text(best.us)}; rival / ours {best.ratio:.3g} "
               f"[{best.low:.3g}, {best.high:.3g}], {best.pairs} pairs"
               + (f"; the prototypes reached {reference[0]:g} to {reference[1]:g}: {told}" if reference else ""))
        d.rect(x(0), at, x(end) - x(0), 11, colour, tip, 2)
        d.line(x(min(best.low, x.high)), at + 5.5, x(min(best.high, x.high)), at + 5.5, "whisker")
        if reference and reference[0] <= x.high:
            d.line(x(reference[0]), at - 1.5, x(reference[0]), at + 12.5, "reference")
        d.text(LABEL + PLOT + 52, at + 9.5, f"{best.ratio:.2f}×", "small strong", "end")
        d.text(LABEL + PLOT + 60, at + 9.5, f"{best.setup} {best.style}, {time_text(best.us)}", "small muted")


def legend():
    return ('<p class="legend"><span><i class="key s3"></i>best of the message styles</span>'
            '<span><i class="key s4"></i>best of the shared windows</span>'
            '<span><i class="key-line whisker"></i>95 % interval of the median</span>'
            '<span><i class="key-line reference"></i>what the prototypes reached, on another machine</span></p>')


def overview(results):
    """The geometric means of a regime, for the tiles at the top: [(regime, kind, mean, cases)]."""
    tiles = []
    for regime in results.regimes("halo"):
        for kind, _, _ in KINDS:
            found = [c for ranks, case in results.cases("halo") if (c := compared(results, ranks, case, regime, kind))]
            if found:
                tiles.append((regime, kind, statistics.geometric_mean([c[0].ratio for c in found]), len(found)))
    return tiles
