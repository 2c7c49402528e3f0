# SPDX-License-Identifier: Apache-2.0
"""sode_bars.messages for the table and the page: of Results, with the rivals' own times."""
import statistics

from sode_bars import messages as told
from sode_bars.messages import FIRST, KEPT, PROGRAM, family, is_pattern

RIVALS = (("datatypes", "MPI's datatypes"), ("packing", "packed by hand"))
PROGRAMS = (PROGRAM, KEPT)
__all__ = ["RIVALS", "PROGRAMS", "PROGRAM", "KEPT", "FIRST", "family", "is_pattern", "cases", "compared", "means", "headline", "cost_cases",
           "costs", "first_uses"]


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
