# SPDX-License-Identifier: Apache-2.0
"""The bars of "The MPI layer": messages with derived datatypes."""
import os
import re
import statistics

from . import messages
from .campaign import Campaign
from .measures import ONE_CORE, Row, Value, limit_value, ratio_value
from .samples import mean_interval, picked

GROUPS = {"wrf": "wrf_.*", "regular": "milc_.*,nas_lu_.*", "mg_x": "nas_mg_x", "mg_yz": "nas_mg_y,nas_mg_z", "specfem": "specfem_.*",
          "lammps": "lammps_.*", "fft": "fft2d", "contiguous": "contiguous", "apps": "app_.*"}
ENOUGH = 30
OF_LIMIT = {"near": 0.7, "far": None}


def campaigns(machine):
    driver = machine.program("sode-bench")
    there = driver and any(machine.program(f"bench_datatypes_{mpi}") for mpi in machine.mpirun)

    def commands(name, wanted):
        words = [driver, "datatypes", "--minutes", "0", "--turns", turns(name), "--quiet", "--data", "rewritten", "--limits", "--cases", wanted,
                 "--html", os.devnull]
        return [(words, {})] if there and wanted else []
    return [Campaign(f"datatypes.{name}", commands(name, wanted), enough(wanted),
                     lambda cases, name=name, wanted=wanted: commands(name, ",".join(of_group(wanted, cases)))) for name, wanted in GROUPS.items()]


def of_group(wanted, cases):
    """The cases that belong to a group."""
    words = wanted.split(",")
    return [c for c in cases if any(re.fullmatch(w, c) or messages.family(c)[0] == w for w in words)]


def turns(name):
    """Nanoseconds want many pairs, and the contiguous ones are short."""
    return "15" if name == "contiguous" else "5"


def enough(wanted):
    """Says whether there are pairs enough of every case, against every rival, in both regimes."""
    words = wanted.split(",")

    def told(samples):
        found = [c for c in messages.cases(samples, messages.PROGRAM)
                 if any(re.fullmatch(w, c) or messages.family(c)[0] == w for w in words)]
        pairs = [len(v) for (program, _, case, *_), v in samples.ratios.items() if program == messages.PROGRAM and case in found]
        regimes = {key[6] for key in samples.ratios if key[0] == messages.PROGRAM and key[2] in found}
        return bool(found) and regimes >= {"near", "far"} and min(pairs) >= ENOUGH
    return told


def mean_value(cells, text):
    """The geometric mean of the medians of {case: ratios}."""
    if not cells:
        return Value()
    low, high = mean_interval(list(cells.values()))
    fewest = min(len(v) for v in cells.values())
    return Value(statistics.geometric_mean([statistics.median(v) for v in cells.values()]),
                 f"{len(cells)} cases [{low:.3g}, {high:.3g}] {text}, fewest {fewest}", low=low, high=high, pairs=fewest)


def mean_of(regime, method):
    def measure(samples):
        ours = messages.headline(samples, messages.PROGRAM, regime)
        found = messages.ratios_of(samples, messages.PROGRAM, regime, ours, method, messages.is_pattern) if ours else []
        return mean_value({case: ratios for case, ratios, _ in found}, ours)
    return measure


def mean_fraction(regime, one_core=False):
    def measure(samples):
        ours = messages.headline(samples, messages.PROGRAM, regime)
        cells = {}
        for case in messages.cases(samples, messages.PROGRAM):
            limits = samples.limits(messages.PROGRAM, 2, case, ours, regime) if ours and messages.is_pattern(case) else {}
            limits = {name: found for name, found in limits.items() if one_core or name != ONE_CORE}
            if limits:
                cells[case] = picked(limits)[1]
        return mean_value(cells, ours)
    return measure


def least_of(regime, method, chosen=messages.is_pattern):
    """Every case must reach it."""
    def measure(samples):
        ours = messages.headline(samples, messages.PROGRAM, regime)
        found = messages.ratios_of(samples, messages.PROGRAM, regime, ours, method, chosen) if ours else []
        if not found:
            return Value()
        lost = [case for case in messages.cases(samples, messages.PROGRAM) if chosen(case) and not messages.measured(samples, case, ours)]
        if lost:
            return Value(0, f"{ours} failed at {', '.join(lost)}", failed=True)
        return [ratio_value(ratios, f"{case} against {setup}, {ours}, of {len(found)} cases", case) for case, ratios, setup in found]
    return measure


def fractions_of(regime, chosen=messages.is_pattern, one_core=False):
    """Of the limit, case by case."""
    def measure(samples):
        ours = messages.headline(samples, messages.PROGRAM, regime)
        return [limit_value(samples, messages.PROGRAM, 2, case, ours, regime, one_core)
                for case in messages.cases(samples, messages.PROGRAM) if ours and chosen(case)]
    return measure


def dearest(regime, chosen):
    """What a message costs more, in the set-up where it is most. All cases together: where the data of one happen to lie in either
    process makes a difference of that size, whichever code runs."""
    def measure(samples):
        cases = [case for case in messages.cost_cases(samples) if chosen(case)]
        found = [(ns, setup, low, high, pairs) for setup, ns, (low, high), pairs in messages.costs(samples, cases, regime) if pairs >= ENOUGH]
        if not found:
            return Value()
        ns, setup, low, high, pairs = max(found)
        return Value(ns, f"{pairs} [{low:.1f}, {high:.1f}] {setup}, {len(cases)} cases, of {len(found)}", low=low, high=high, pairs=pairs)
    return measure


def slowest_start(regime):
    def measure(samples):
        ours = messages.headline(samples, messages.PROGRAM, regime)
        found = [(*first, case) for case in messages.cases(samples, messages.FIRST) if ours and messages.is_pattern(case)
                 and (first := messages.first_uses(samples, case, regime, ours))]
        if not found:
            return Value()
        ratio, setup, pairs, case = max(found)
        return Value(ratio, f"{pairs} {case} against {setup}, of {len(found)} cases")
    return measure


def slowest_own_start(regime):
    """What a program pays that has an MPI already."""
    def measure(samples):
        found = [(ratio, pairs, case, setup) for case in messages.cases(samples, messages.FIRST) if messages.is_pattern(case)
                 for setup, ratio, pairs in messages.own_first_uses(samples, case, regime)]
        if not found:
            return Value()
        ratio, pairs, case, setup = max(found)
        return Value(ratio, f"{pairs} {case} {setup}, of {len(found)}")
    return measure


def slowed(regime):
    """The upper end of the interval, in the set-up where it is worst."""
    def measure(samples):
        found = [(high, times, pairs, case, setup) for case in messages.cases(samples, messages.PROGRAM)
                 if messages.family(case)[0] == "app_slab" for setup, times, (_, high), pairs in messages.slowdowns(samples, case, regime)
                 if pairs >= ENOUGH]
        if not found:
            return Value()
        high, times, pairs, case, setup = max(found)
        return Value(high, f"{pairs} median {times:.3f} {case} {setup}, of {len(found)}")
    return measure


def sized(name, least, most=float("inf")):
    return lambda case: messages.family(case)[0] in name.split() and least <= messages.family(case)[1] <= most


FAMILIES = (("lammps_full", sized("lammps_full", 65536), 8, None), ("fft2d", sized("fft2d", 1 << 19, 20 << 20), 4, None),
            ("nas_mg_yz", sized("nas_mg_y nas_mg_z", 65536), 2.5, None), ("specfem_mt", sized("specfem_mt", 65536), 6, None),
            ("nas_mg_x", sized("nas_mg_x", 32768), 1.2, None),
           ("fft2d-4096", sized("app_fft2d", 16 * 4096 * 4096), 1.2, 1.4), ("wavefront", sized("app_wavefront", 1 << 20), None, None),
            ("cg", sized("app_cg", 1 << 20), 1.15, None))


def rows():
    table = []
    for regime, mean in (("near", (2.5, 4)), ("far", (2, 3))):
        table.append(Row(f"datatypes.mean.{regime}", mean_of(regime, "datatypes"), *mean, limit=mean_fraction(regime),
                         tightest=mean_fraction(regime, True)))
    table += [Row("datatypes.mean.packing.near", mean_of("near", "packing"), 1.5, 2, limit=mean_fraction("near"), limit_row=False,
                  tightest=mean_fraction("near", True)),
              Row("datatypes.mean.packing.far", mean_of("far", "packing"))]
    for regime, least in (("near", (0.9, 1.0)), ("far", (None, None))):
        table.append(Row(f"datatypes.least.{regime}", least_of(regime, "datatypes"), *least, limit=fractions_of(regime),
                         limit_must=OF_LIMIT[regime], tightest=fractions_of(regime, one_core=True)))
    table.append(Row("datatypes.least.packing.near", least_of("near", "packing"), 0.8, 1.0, limit=fractions_of("near"), limit_row=False,
                     tightest=fractions_of("near", one_core=True)))
    for name, chosen, must, aim in FAMILIES:
        applications = name in ("fft2d-4096", "wavefront", "cg")  # they compute, too
        table.append(Row(f"datatypes.{name}.near", least_of("near", "datatypes", chosen), must, aim,
                         limit=None if applications else fractions_of("near", chosen), limit_must=OF_LIMIT["near"],
                         tightest=None if applications else fractions_of("near", chosen, one_core=True)))
    table.append(Row("datatypes.fft2d-4096.packing.near", least_of("near", "packing", sized("app_fft2d", 16 * 4096 * 4096))))
    for regime, must in (("near", 40), ("far", None)):
        table.append(Row(f"datatypes.short.ns.{regime}", dearest(regime, lambda case: not messages.is_contiguous(case)), must, at_least=False))
    for regime, must in (("near", 25), ("far", None)):
        table.append(Row(f"datatypes.contiguous8.ns.{regime}", dearest(regime, lambda case: case == "contiguous_8"), must, at_least=False))
        table.append(Row(f"datatypes.contiguous-application.{regime}", slowed(regime), 1.03, at_least=False))
        table.append(Row(f"datatypes.first-uses.{regime}", slowest_start(regime), 2.0, at_least=False))
        table.append(Row(f"datatypes.first-uses.same-mpi.{regime}", slowest_own_start(regime), at_least=False))
    for row in table:
        row.campaign = tuple(f"datatypes.{g}" for g in GROUPS)  # the set-up of ours that counts is chosen by all cases
    return table
