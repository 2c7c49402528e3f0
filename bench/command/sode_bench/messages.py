# SPDX-License-Identifier: Apache-2.0
"""What the samples of `sode bench datatypes` say: ours against the best rival of all MPIs and settings, by either method."""
import statistics

from sode_bars.samples import median_interval

from .datatypes import FIRST, KEPT, MESSAGE, OURS, PROGRAM, family

RIVALS = (("datatypes", "MPI's datatypes"), ("packing", "packed by hand"))
PROGRAMS = (PROGRAM, KEPT)


def cases(results, program):
    return [case for _, case in results.cases(program)]


def size(results, program, case):
    return results.sizes[(program, 2, case)]["bytes"]


def is_pattern(results, program, case):
    """Long enough for the layer, and not contiguous."""
    return family(case)[0] not in ("contiguous", "nas_lu_x") and size(results, program, case) >= MESSAGE


def compared(results, program, case, regime, ours, method):
    """The best rival by a method: the least median ratio over all set-ups, however few pairs one has, which favours the rivals. None if
    nothing was measured."""
    return results.best(program, 2, case, regime, ours, (method,), fewest=1)


def means(results, program, regime, ours):
    """{method: (geometric mean of the ratios, cases)}"""
    found = {}
    for method, _ in RIVALS:
        ratios = [best.ratio for case in cases(results, program) if is_pattern(results, program, case)
                  and (best := compared(results, program, case, regime, ours, method))]
        if ratios:
            found[method] = statistics.geometric_mean(ratios), len(ratios)
    return found


def headline(results, program, regime):
    """The one set-up of ours that does best over all patterns: what is told of, for every case; None if ours was not measured."""
    scored = [(means(results, program, regime, ours).get("datatypes", (0, 0))[0], ours) for ours in results.ours(program)]
    measured = {s["name"] for r in results.reports if r["program"] == program for c in r["cases"] for s in c["samples"]}
    scored = [(score, ours) for score, ours in scored if ours in measured]
    return max(scored)[1] if scored else None


def costs(results, case, regime):
    """What a message costs more under Sode than without it, in nanoseconds, where both are the same MPI with the same settings:
    [(set-up, median, (low, high), pairs)]. A ping-pong is two messages."""
    method = "bytes" if family(case)[0] == "contiguous" else "datatypes"
    found = []
    for (program, _, name, setup, ours, rival, where), values in results.samples.differences.items():
        if (program, name, rival, where) == (PROGRAM, case, method, regime) and ours == OURS + setup:
            ns = [v * 1e3 / 2 for v in values]
            found.append((setup, statistics.median(ns), median_interval(ns), len(ns)))
    return found


def cost_cases(results):
    """The short and the contiguous ones."""
    return [c for c in cases(results, PROGRAM) if size(results, PROGRAM, c) < MESSAGE or family(c)[0] in ("contiguous", "nas_lu_x")]


def first_uses(results, case, regime, ours):
    """(our time / the best MPI's, our microseconds, its set-up): commit and the first two ping-pongs; None if not measured."""
    best = results.best(FIRST, 2, case, regime, ours, ("datatypes",), fewest=1)
    if not best:
        return None
    mine = results.times_of(FIRST, 2, case, regime, ours)
    return 1 / best.ratio, statistics.median(mine), best.setup
