# SPDX-License-Identifier: Apache-2.0
"""`sode bench stencil`: Laplace (and Himeno) as ours, as MPI, as OpenMP and as both, on 1, 2, 4, … ranks up to the cores that are here;
the problem as large as ever (strong) or a part of fixed size a rank (weak)."""
from sode_bars.machine import usable_cores

from .runs import Run

SIZES = {"laplace": (1024, 4096), "himeno": (64, 128)}
QUICK_SIZES = {"laplace": (1024,), "himeno": (64,)}
WEAK_SIZES = {"laplace": 1024, "himeno": 64}


def rank_counts(most=None):
    """1, 2, 4, … and the number of cores itself; two at least, or there is nothing to exchange."""
    cores = most or max(2, usable_cores())
    counts = [1]
    while counts[-1] * 2 <= cores:
        counts.append(counts[-1] * 2)
    return counts + ([cores] if cores > counts[-1] else [])


def runs(machine, setups, problems, counts, pairs, quick):
    found = []
    for problem in problems:
        plans = [(n, []) for n in (QUICK_SIZES if quick else SIZES)[problem]] + [(WEAK_SIZES[problem], ["--weak"])]
        for n, weak in plans:
            for ranks in counts:
                for setup in setups:
                    command = machine.mpi_command(setup, ranks, "bench_hybrid", problem, "-n", str(n), "--pairs", str(pairs), *weak)
                    label = f"{problem} {n}{' weak' if weak else ''}, {ranks} ranks"
                    found.append(Run(label, setup.name, command, setup.environment))
    return found
