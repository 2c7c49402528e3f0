# SPDX-License-Identifier: Apache-2.0
"""The bars of "Clusters and everyday use"."""
from .campaign import mpi_campaign
from .machine import TWO_SIDED
from .measures import Row, fraction, pairs_enough, worst_ratio
from .reference import REFERENCE, aim, bar, styles_of

REGIMES = ("near", "far")
OF_LIMIT = {"near": 0.85, "far": None}  # of halos
HAND_WRITTEN = ("mpi", "mpi-overlap")
SOLVED = (("laplace", 1024), ("himeno", 128))
CROWDS = ((4, "3d16_221", 1.0), (8, "3d16_222", 1.3))
BY_MESSAGES = ("3d64_x", "3d64_y", "3d64_z")
PACKED = ("packed-isend", "packed-persistent")


def _groups():
    """The cases of the reference by how much memory they take: each group is a campaign, so that all get their turn."""
    groups = {}
    for case in REFERENCE["two-sided"]:
        groups.setdefault("reference." + case.split("_")[0], []).append(case)
    return groups


def campaigns(machine):
    found = []
    for name, cases in _groups().items():
        enough = [pairs_enough("halo", 2, [c], "array", REGIMES) for c in cases]
        found.append(mpi_campaign(machine, name, "bench_halo", 2, ["--cases", ",".join(cases), "--turns", "2", "--limits"], TWO_SIDED,
                                  lambda s, enough=enough: all(e(s) for e in enough)))
    for problem, n in SOLVED:
        found.append(mpi_campaign(machine, f"{problem}.mpi", "bench_hybrid", 2, [problem, "-n", str(n), "--pairs", "6", "--limits"], TWO_SIDED,
                                  pairs_enough("hybrid", 2, [f"{problem} {n}"], "sode", REGIMES, HAND_WRITTEN)))
    # Everything by messages of the same MPI: what they cost beyond writing them by hand.
    found.append(mpi_campaign(machine, "messages", "bench_halo", 2,
                              ["--cases", ",".join(BY_MESSAGES), "--styles", ",".join(PACKED), "--turns", "4", "--name", "halo-messages"],
                              TWO_SIDED, lambda s: all(pairs_enough("halo-messages", 2, [c], "array", ("near",), PACKED)(s)
                                                       for c in BY_MESSAGES), {"SODE_MACHINE_SIZE": "1"}))
    for ranks, case, _ in CROWDS:
        # MPICH does not yield: more ranks than cores take it milliseconds, which is nothing to be compared with.
        found.append(mpi_campaign(machine, f"crowd.{ranks}", "bench_halo", ranks,
                                  ["--cases", case, "--styles", ",".join(PACKED), "--turns", "4"], ("vader", "ucx"),
                                  pairs_enough("halo", ranks, [case], "buffered", ["unprobed"])))
    return found


def rows():
    table = []
    for kind, cases in REFERENCE.items():
        for case in cases:
            for regime in REGIMES:
                table.append(Row(f"reference.{kind}.{case}.{regime}",
                                 worst_ratio("halo", 2, case, "array", regime, styles_of(kind)), bar(kind, case, regime),
                                 aim(kind, case, regime), campaign="reference." + case.split("_")[0],
                                 limit=fraction("halo", 2, case, "array", regime), limit_must=OF_LIMIT[regime],
                                 limit_row=kind == "two-sided"))
    for problem, n in SOLVED:
        for regime in REGIMES:
            limit = fraction("hybrid", 2, f"{problem} {n}", "sode", regime) if problem == "laplace" else None
            table.append(Row(f"{problem}.2-ranks.mpi.{regime}",
                             worst_ratio("hybrid", 2, f"{problem} {n}", "sode", regime, HAND_WRITTEN), 1.0,
                             campaign=f"{problem}.mpi", limit=limit))
            # Shares its arrays, as threads do: no halo, no copy. Told beside the others.
            table.append(Row(f"{problem}.2-ranks.mpi-window.{regime}",
                             worst_ratio("hybrid", 2, f"{problem} {n}", "sode", regime, ("mpi-window",)), campaign=f"{problem}.mpi"))
    for case in BY_MESSAGES:
        for regime in REGIMES:
            table.append(Row(f"messages.{case}.{regime}", worst_ratio("halo-messages", 2, case, "array", regime, PACKED), 0.97,
                             campaign="messages"))
    for ranks, case, must in CROWDS:
        table.append(Row(f"halo.16^3.{ranks}-ranks", worst_ratio("halo", ranks, case, "buffered", "unprobed", PACKED), must,
                         campaign=f"crowd.{ranks}"))
    return table
