# SPDX-License-Identifier: Apache-2.0
"""What the samples of `sode bench datatypes` say: messages of applications under Sode against the best rival of all MPIs and settings."""
import re
import statistics

from .samples import median_interval, picked

PROGRAM, KEPT, FIRST = "datatypes", "datatypes-kept", "datatypes-first"
OURS = "sode "  # and the set-up
MESSAGE = 4096  # shorter ones are left to MPI, and must not cost more
METHODS = ("datatypes", "packing")
LIMITS = ("limit:memcpy", "limit:lines", "limit:receiver")  # bench/datatypes/limit.hpp


def family(case):
    """(family, bytes)"""
    found = re.fullmatch(r"(.+)_(\d+)", case)
    return found.group(1), int(found.group(2))


def is_contiguous(case):
    return family(case)[0] in ("contiguous", "nas_lu_x")


def is_application(case):
    return case.startswith("app_")


def has_only_bytes(case):
    """The methods "datatypes" and "packing" mean nothing there."""
    return family(case)[0] in ("contiguous", "app_slab")


def is_pattern(case):
    """A message long enough for the layer, and not contiguous."""
    return not is_contiguous(case) and not is_application(case) and family(case)[1] >= MESSAGE


def cases(samples, program):
    return list(dict.fromkeys(key[2] for key in samples.times if key[0] == program))


def measured(samples, case, ours):
    """Whether ours got through the case, in whatever regime."""
    return any(key[0] == PROGRAM and key[2] == case and key[4] == ours for key in samples.times)


def best(samples, program, case, regime, ours, method):
    """(ratio, ratios, set-up) of the best rival by a method: the least median ratio over all set-ups, however few pairs one has, which
    favours the rivals; chosen by one half of the pairs, judged by the other. None if nothing was measured."""
    cells = samples.cells(program, 2, case, ours, regime, (method,))
    if not cells:
        return None
    (setup, _), ratios = picked(cells)
    return statistics.median(ratios), ratios, setup


def ratios_of(samples, program, regime, ours, method, chosen):
    """[(case, ratios, set-up)] of the best rivals in the cases for which `chosen` says yes."""
    return [(case, found[1], found[2]) for case in cases(samples, program)
            if chosen(case) and (found := best(samples, program, case, regime, ours, method))]


def mean(samples, program, regime, ours, method):
    """(geometric mean of the ratios of all patterns, how many); (0, 0) where nothing was measured."""
    ratios = [statistics.median(found) for _, found, _ in ratios_of(samples, program, regime, ours, method, is_pattern)]
    return (statistics.geometric_mean(ratios), len(ratios)) if ratios else (0, 0)


def headline(samples, program, regime):
    """The one set-up of ours that does best over all patterns: it counts, for every case; None if ours was not measured. Chosen by the
    half of the pairs by which best() chooses, too."""
    samples = samples.chosen_by.first_half()
    names = sorted({key[4] for key in samples.ratios if key[0] == program and key[6] == regime and key[4].startswith(OURS)})
    return max(names, key=lambda ours: mean(samples, program, regime, ours, "datatypes")[0], default=None)


def cost_cases(samples):
    """The short and the contiguous ones."""
    return [c for c in cases(samples, PROGRAM) if not is_pattern(c) and not is_application(c)]


def costs(samples, cases_of, regime):
    """What a message costs more under Sode than without it, in nanoseconds, where both are the same MPI with the same settings, of all
    these cases together: [(set-up, median, (low, high), pairs)]. A ping-pong is two messages."""
    by_setup = {}
    for (program, _, case, setup, ours, rival, where), values in samples.differences.items():
        method = "bytes" if has_only_bytes(case) else "datatypes"
        if (program, rival, where, ours) == (PROGRAM, method, regime, OURS + setup) and case in cases_of:
            by_setup.setdefault(setup, []).extend(v * 1e3 / 2 for v in values)
    return [(setup, statistics.median(ns), median_interval(ns), len(ns)) for setup, ns in by_setup.items()]


def own_first_uses(samples, case, regime):
    """The same against the same MPI with the same settings: [(set-up, our time / its time, pairs)]."""
    return [(setup, 1 / statistics.median(ratios), len(ratios))
            for (program, _, name, setup, ours, rival, where), ratios in samples.ratios.items()
            if (program, name, rival, where, ours) == (FIRST, case, "datatypes", regime, OURS + setup)]


def slowdowns(samples, case, regime):
    """How many times longer a program runs under Sode, same MPI, same settings: [(set-up, median, (low, high), pairs)]."""
    found = []
    for (program, _, name, setup, ours, rival, where), ratios in samples.ratios.items():
        if (program, name, rival, where) == (PROGRAM, case, "bytes", regime) and ours == OURS + setup:
            times = [1 / r for r in ratios]
            found.append((setup, statistics.median(times), median_interval(times), len(times)))
    return found


def first_uses(samples, case, regime, ours):
    """(our time / the best MPI's, its set-up, pairs): commit and the first two ping-pongs; None if not measured."""
    found = best(samples, FIRST, case, regime, ours, "datatypes")
    return (1 / found[0], found[2], len(found[1])) if found else None
