# SPDX-License-Identifier: Apache-2.0
"""sode_bars.messages for the table and the page: of Results, with the rivals' own times."""
import statistics

from sode_bars import messages as told
from sode_bars.messages import FIRST, KEPT, PROGRAM, family, is_application, is_pattern

RIVALS = (("datatypes", "MPI's datatypes"), ("packing", "packed by hand"))
PROGRAMS = (PROGRAM, KEPT)
__all__ = ["RIVALS", "PROGRAMS", "PROGRAM", "KEPT", "FIRST", "family", "is_application", "is_pattern", "cases", "compared", "means", "headline", "cost_cases",
           "costs", "first_uses", "application_rows", "fastest"]


def cases(results, program):
    return [case for _, case in results.cases(program)]


def compared(results, program, case, regime, ours, method):
    """The best rival by a method (sode_bars.messages.best), with its interval."""
    return results.best(program, 2, case, regime, ours, (method,), fewest=1)


def means(results, program, regime, ours):
    """{method: (geometric mean of the ratios, cases)}"""
    return {method: told.mean(results.samples, program, regime, ours, method) for method, _ in RIVALS}


def headline(results, program, regime):
    return told.headline(results.samples, program, regime)


def cost_cases(results):
    return told.cost_cases(results.samples)


def costs(results, case, regime):
    return told.costs(results.samples, case, regime)


def first_uses(results, case, regime, ours):
    """(our time / the best MPI's, our microseconds, its set-up)"""
    found = told.first_uses(results.samples, case, regime, ours)
    return (found[0], statistics.median(results.times_of(FIRST, 2, case, regime, ours)), found[1]) if found else None


def application_rows(results, regime, ours):
    """[(case, [(words, microseconds, share of communication, ratio to ours or None)])]: ours first, then the best rival by each method."""
    rows = []
    for case in cases(results, PROGRAM):
        if not is_application(case):
            continue
        cells = []
        mine = results.times_of(PROGRAM, 2, case, regime, ours) if ours else []
        if mine:
            cells.append((ours, statistics.median(mine), _share(results, case, ours.removeprefix(told.OURS), ours), None))
        for method in ("bytes",) if told.has_only_bytes(case) else told.METHODS:
            best = compared(results, PROGRAM, case, regime, ours, method) if mine else None
            rival = (best.us, best.setup) if best else fastest(results, PROGRAM, case, regime, method)
            if rival:
                cells.append((f"{rival[1]} {method}", rival[0], _share(results, case, rival[1], method), best.ratio if best else None))
        if cells:
            rows.append((case, cells))
    return rows


def fastest(results, program, case, regime, method):
    """(microseconds, set-up) of the set-up that is fastest by itself, where there is nothing of ours to compare with."""
    found = [(statistics.median(v), setup) for (setup, name), v in results.times(program, 2, case, regime).items() if name == method]
    return min(found) if found else None


def _share(results, case, setup, name):
    """How much of the time was communication, on average."""
    shares = [s["communication"] for r in results.reports if r["program"] == PROGRAM for c in r["cases"] if c["case"] == case
              for s in c["samples"] if (s.get("setup"), s["name"]) == (setup, name) and "communication" in s]
    return statistics.mean(shares) if shares else None
