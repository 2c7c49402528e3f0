# SPDX-License-Identifier: Apache-2.0
"""`sode bench collectives`: which operations, how they are run, and what came out."""
import statistics
from collections import defaultdict
from dataclasses import dataclass

from sode_bars.collectives import FORMS, LAYER, OURS, PROGRAM, STEPS, fractions, size_of
from sode_bars.machine import usable_cores

from . import layers
from .runs import Run

OPERATIONS = ("barrier", "bcast", "reduce", "allreduce", "reduce_scatter", "scan", "exscan", "gather", "scatter", "allgather", "alltoall")
SIZES = (8, 64, 1024, 4096, 16384, 65536, 262144, 1 << 20, 8 << 20)
CROWD_SIZES = (8, 1024, 16384, 65536)
QUICK_OPERATIONS = ("barrier", "bcast", "allreduce", "alltoall")
QUICK_SIZES = (8, 4096, 262144)
LARGE = 1 << 20
# Through the layer, and what it is compared with: the same call past it; persistent ones with all that the MPI has.
THROUGH_LAYER = {"layer blocking": ("blocking",), "layer nonblocking": ("nonblocking",), "layer persistent": FORMS}
__all__ = ["PROGRAM", "LAYER", "OURS", "FORMS", "STEPS", "OPERATIONS", "QUICK_OPERATIONS", "size_of"]


def runs(machine, setups, ranks, operations, sizes, o, document):
    """A run for each operation and set-up, large sizes by themselves; and the same through the layer, where that is wanted."""
    crowd = ranks > usable_cores()
    if crowd:
        for s in [s for s in setups if s.mpi == "mpich"]:
            document["skipped"].append({"setup": s.name, "what": f"{ranks} ranks", "why": "it spins while it waits, and ranks share cores"})
        setups = [s for s in setups if s.mpi != "mpich"]
    spare = usable_cores() >= 2 * ranks
    if not spare:
        document["skipped"].append({"setup": "", "what": f"overlap of {ranks} ranks with work",
                                    "why": f"unseen: {usable_cores()} cores leave none to the engines"})
    sizes = sizes or (QUICK_SIZES if o.quick else CROWD_SIZES if crowd else SIZES)
    turns = ["--turns", "3" if o.quick else "4"]
    found = []
    for operation in operations:
        for some in ([n for n in sizes if n < LARGE], [n for n in sizes if n >= LARGE]):
            if not some or (operation == "barrier" and some[0] >= LARGE):
                continue
            words = [*turns, "--only", operation, "--sizes", ",".join(str(n) for n in some)]
            for s in setups:
                plain = [*words, "--steps", "--engine", o.engine] + ([] if crowd else ["--limits"]) + (["--overlap"] if spare else [])
                found.append(Run(operation, s.name, machine.mpi_command(s, ranks, "bench_collectives", *plain), s.environment))
                if o.layer:
                    found += through_layer(machine, s, ranks, operation, words, o, document)
    return found


def through_layer(machine, setup, ranks, operation, words, o, document):
    before = layers.prefix(machine, setup.mpi, "preload", o.prefix)
    if not before:
        document["skipped"].append({"setup": setup.name, "what": "through the layer",
                                    "why": f"there is no libsode-interpose-{setup.mpi}.so in {machine.layers}"})
        return []
    document["layer"] = {"way": before[0], "words": " ".join(before[1])}
    command = machine.mpi_command(setup, ranks, "bench_collectives", *words, "--layer", "--steps", before=before[1])
    return [Run(f"{operation} through the layer", setup.name, command, setup.environment)]


@dataclass
class Cell:
    """One operation of one size, as ours does it."""
    ranks: int
    case: str
    regime: str
    ours: str
    us: float
    best: object  # the best rival (results.Best), or None
    fraction: float | None  # of the fastest limit


def cells(results, regime, program=PROGRAM):
    """Of everything that was measured, as it was first measured."""
    found = []
    for ranks, case in results.cases(program):
        for ours in OURS if program == PROGRAM else THROUGH_LAYER:
            times = results.times_of(program, ranks, case, regime, ours)
            if times:
                limits = [statistics.median(v) for v in fractions(results.samples, ranks, case, ours, regime).values()] if program == PROGRAM else []
                found.append(Cell(ranks, case, regime, ours, statistics.median(times),
                                  results.best(program, ranks, case, regime, ours, FORMS if program == PROGRAM else THROUGH_LAYER[ours]),
                                  min(limits, default=None)))
    return found


def steps(results, regime, program=PROGRAM):
    """{(ranks, case): {name of ours or form: {step: microseconds}}}: medians over all set-ups."""
    told = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for report in results.reports:
        if report["program"] != program:
            continue
        for case in report["cases"]:
            for s in case["samples"]:
                for step in STEPS:
                    if s["regime"] == regime and f"{step}_us" in s:
                        told[(report["ranks"], case["case"])][s["name"]][step].append(s[f"{step}_us"])
    return {key: {name: {step: statistics.median(v) for step, v in of.items()} for name, of in names.items()} for key, names in told.items()}


def overlaps(results, regime):
    """{(ranks, case): {name: (share hidden behind computing, behind streaming)}}: medians over all set-ups; where there were cores for it."""
    told = defaultdict(lambda: defaultdict(list))
    for report in results.reports:
        for case in report["cases"] if report["program"] == PROGRAM else ():
            for s in case["samples"]:
                if s["regime"] == regime and "overlap_compute" in s:
                    told[(report["ranks"], case["case"])][s["name"]].append((s["overlap_compute"], s["overlap_memory"]))
    return {key: {name: tuple(statistics.median(v) for v in zip(*pairs)) for name, pairs in names.items()} for key, names in told.items()}


def mean(found, ours, ranks):
    """(geometric mean of the ratios, cases)"""
    ratios = [c.best.ratio for c in found if c.best and c.ours == ours and c.ranks == ranks]
    return (statistics.geometric_mean(ratios), len(ratios)) if ratios else None
