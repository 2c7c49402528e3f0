# SPDX-License-Identifier: Apache-2.0
"""The bars of "The MPI layer": messages with derived datatypes."""
import os
import re

from . import messages
from .campaign import Campaign
from .measures import Row, Value

GROUPS = {"wrf": "wrf_.*", "regular": "milc_.*,nas_lu_.*", "mg_x": "nas_mg_x", "mg_yz": "nas_mg_y,nas_mg_z", "specfem": "specfem_.*",
          "lammps": "lammps_.*", "fft": "fft2d", "contiguous": "contiguous", "apps": "app_.*"}
ENOUGH = 30


def campaigns(machine):
    driver = machine.program("sode-bench")
    there = driver and any(machine.program(f"bench_datatypes_{mpi}") for mpi in machine.mpirun)
    return [Campaign(f"datatypes.{name}", [([driver, "datatypes", "--minutes", "0", "--turns", turns(name), "--quiet", "--data", "rewritten", "--cases", wanted, "--html",
                                             os.devnull], {})] if there else [], enough(wanted)) for name, wanted in GROUPS.items()]


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


def needs(name):
    """The campaigns that a row reads: geometric means read all."""
    return [f"datatypes.{g}" for g in GROUPS] if name.startswith("datatypes.") else []


def mean_of(regime, method):
    def measure(samples):
        ours = messages.headline(samples, messages.PROGRAM, regime)
        value, count = messages.mean(samples, messages.PROGRAM, regime, ours, method) if ours else (0, 0)
        return Value(value, f"{count} cases, {ours}") if count else Value()
    return measure


def least_of(regime, method, chosen=messages.is_pattern):
    """The case that does worst."""
    def measure(samples):
        ours = messages.headline(samples, messages.PROGRAM, regime)
        found = messages.ratios_of(samples, messages.PROGRAM, regime, ours, method, chosen) if ours else []
        if not found:
            return Value()
        lost = [case for case in messages.cases(samples, messages.PROGRAM) if chosen(case) and not messages.measured(samples, case, ours)]
        if lost:
            return Value(0, f"{ours} failed at {', '.join(lost)}", failed=True)
        ratio, case, pairs = min(found)
        return Value(ratio, f"{pairs} {case}, of {len(found)} cases, fewest {min(n for _, _, n in found)}")
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
        return Value(ns, f"{pairs} [{low:.1f}, {high:.1f}] {setup}, {len(cases)} cases, of {len(found)}")
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
           ("fft2d-4096", sized("app_fft2d", 16 * 4096 * 4096), 1.2, 1.4), ("wavefront", sized("app_wavefront", 1 << 20), None, None))


def rows():
    table = []
    for regime, mean in (("near", (2.5, 4)), ("far", (2, 3))):
        table.append(Row(f"datatypes.mean.{regime}", mean_of(regime, "datatypes"), *mean))
    table += [Row("datatypes.mean.packing.near", mean_of("near", "packing"), 1.5, 2), Row("datatypes.mean.packing.far", mean_of("far", "packing")),
              Row("datatypes.least.near", least_of("near", "datatypes"), 0.9, 1.0), Row("datatypes.least.far", least_of("far", "datatypes")),
              Row("datatypes.least.packing.near", least_of("near", "packing"), 0.8, 1.0)]
    for name, chosen, must, aim in FAMILIES:
        table.append(Row(f"datatypes.{name}.near", least_of("near", "datatypes", chosen), must, aim))
    table.append(Row("datatypes.fft2d-4096.packing.near", least_of("near", "packing", sized("app_fft2d", 16 * 4096 * 4096))))
    for regime, must in (("near", 40), ("far", None)):
        table.append(Row(f"datatypes.short.ns.{regime}", dearest(regime, lambda case: not messages.is_contiguous(case)), must, at_least=False))
    for regime, must in (("near", 25), ("far", None)):
        table.append(Row(f"datatypes.contiguous8.ns.{regime}", dearest(regime, lambda case: case == "contiguous_8"), must, at_least=False))
        table.append(Row(f"datatypes.contiguous-application.{regime}", slowed(regime), 1.03, at_least=False))
        table.append(Row(f"datatypes.first-uses.{regime}", slowest_start(regime), 2.0, at_least=False))
        table.append(Row(f"datatypes.first-uses.same-mpi.{regime}", slowest_own_start(regime), at_least=False))
    return table
