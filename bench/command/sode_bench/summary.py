# SPDX-License-Identifier: Apache-2.0
"""What the samples come to, for programs that do not want to read them all."""
import statistics

from . import collectives, messages
from .table import compared, hybrid_methods, verdict


def summary(results):
    """A list of cells (program, ranks, case, regime): the median of every method and set-up with its number of blocks, and the best
    rivals with ratio, interval and, for halo cases, what the prototypes reached."""
    cells = []
    for program in ("halo", "hybrid", *messages.PROGRAMS, messages.FIRST, collectives.PROGRAM, collectives.LAYER):
        for ranks, case in results.cases(program):
            for regime in results.regimes(program, ranks):
                times = results.times(program, ranks, case, regime)
                if times:
                    cells.append({"program": program, "ranks": ranks, "case": case, "regime": regime,
                                  "sizes": results.sizes.get((program, ranks, case), {}),
                                  "methods": [{"setup": setup, "method": method, "median_us": statistics.median(v), "blocks": len(v)}
                                              for (setup, method), v in times.items()],
                                  "best": list(rivals(results, program, ranks, case, regime))})
    return cells


def rivals(results, program, ranks, case, regime):
    if program == "halo":
        for ours in results.ours("halo"):
            for kind in ("messages", "window"):
                found = compared(results, ranks, case, regime, kind, ours)
                if found:
                    best, reference = found
                    yield {**told(best, ours), "kind": kind, "reference": reference if ours == "array" else None,
                           "verdict": verdict(best.ratio, reference) if ours == "array" else ""}
        return
    if program in (*messages.PROGRAMS, messages.FIRST):
        for ours in results.ours(program):
            for method, _ in messages.RIVALS:
                best = messages.compared(results, program, case, regime, ours, method)
                if best:
                    yield {**told(best, ours), "kind": method}
        return
    if program in (collectives.PROGRAM, collectives.LAYER):
        for c in collectives.cells(results, regime, program):
            if c.best and (c.ranks, c.case) == (ranks, case):
                yield {**told(c.best, c.ours), "of_limit": c.fraction}
        return
    for method in hybrid_methods(results, ranks, case):
        best = results.best("hybrid", ranks, case, regime, "sode", (method,))
        if best:
            yield told(best, "sode")


def told(best, ours):
    return {"ours": ours, "setup": best.setup, "style": best.style, "median_us": best.us, "ratio": best.ratio,
            "interval": [best.low, best.high], "pairs": best.pairs}
