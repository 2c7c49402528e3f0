# SPDX-License-Identifier: Apache-2.0
"""The bars: a table. A later issue adds lines here or a module like clusters.py, and campaigns where it needs new programs."""
from . import clusters, collectives, datatypes, task_ranks, tasks
from .campaign import mpi_campaign, plain_campaign
from .machine import TWO_SIDED
from .measures import Row, by_tests, fraction, median_time, pairs_enough, time_ratio, times_enough, worst_ratio
from .verdict import table_of

PACKED = ("packed-isend", "packed-persistent")


def campaigns(machine):
    """What has to be run, by name."""
    halo = ["--cases", "3d64_x,3d64_y,3d64_z", "--styles", ",".join(PACKED), "--turns", "5", "--limits"]
    crowd = ["--cases", "3d16_422", "--styles", ",".join(PACKED), "--turns", "4"]
    both = ("near", "far")
    halo_enough = [pairs_enough("halo", 2, [c], "array", both, PACKED) for c in ("3d64_x", "3d64_y", "3d64_z")]
    all_campaigns = [
        mpi_campaign(machine, "halo", "bench_halo", 2, halo, TWO_SIDED, lambda s: all(e(s) for e in halo_enough)),
        mpi_campaign(machine, "swap", "bench_latency", 2, ["--turns", "5"], TWO_SIDED,
                     pairs_enough("latency", 2, ["8 bytes"], "buffered", both)),
        # MPICH does not yield: more ranks than cores take it milliseconds, which is nothing to be compared with.
        mpi_campaign(machine, "crowd", "bench_halo", 16, crowd, ("vader", "ucx"),
                     pairs_enough("halo", 16, ["3d16_422"], "buffered", ["unprobed"])),
        plain_campaign(machine, "engine", "bench_engine", [], times_enough("engine", 1, "8 bytes", "interpretation", 50)),
        plain_campaign(machine, "init", "bench_init", [], times_enough("init", 2, "3d64, 26 neighbours", "reflect_init", 50)),
    ]
    for problem, n in (("laplace", 1024), ("himeno", 128)):
        for ranks, regimes in ((1, ["unprobed"]), (2, both)):
            all_campaigns.append(plain_campaign(
                machine, f"{problem}.{ranks}", "bench_stencil", [problem, "-n", str(n), "--ranks", str(ranks), "--pairs", "6", "--limits"],
                pairs_enough("stencil", ranks, [f"{problem} {n}"], "sode", regimes)))
    for ranks in (2, 16):
        all_campaigns.append(plain_campaign(
            machine, f"laplace.alone.{ranks}", "bench_stencil",
            ["laplace", "-n", "1024", "--ranks", str(ranks), "--alone", "--pairs", "1", "--steps", "1000", "--setup", "alone"],
            times_enough("stencil", ranks, "laplace 1024 alone", "sode", 5)))
    all_campaigns += clusters.campaigns(machine) + datatypes.campaigns(machine) + tasks.campaigns(machine)
    all_campaigns += task_ranks.campaigns(machine) + collectives.campaigns(machine)
    return {c.name: c for c in all_campaigns}


def rows(machine):
    """First light, and what came after. Sizes are per rank, x is the slowest index. A row that knows its limit is followed by the
    fraction of it."""
    table = []
    for axis, near, far in (("x", (1.8, 2.2), (1.8, 2.3)), ("y", (1.8, 2.2), (1.25, 1.5)), ("z", (1.0, 1.2), (1.0, 1.2))):
        for regime, (must, aim) in (("near", near), ("far", far)):
            table.append(Row(f"halo.64^3.{axis}.{regime}", worst_ratio("halo", 2, f"3d64_{axis}", "array", regime, PACKED), must, aim,
                             campaign="halo", limit=fraction("halo", 2, f"3d64_{axis}", "array", regime),
                             limit_must=clusters.OF_LIMIT[regime]))
    for regime, must in (("near", 1.7), ("far", 1.3)):
        table.append(Row(f"swap8.ack-free.{regime}", worst_ratio("latency", 2, "8 bytes", "buffered", regime), must, campaign="swap"))
        table.append(Row(f"swap8.credits.{regime}", worst_ratio("latency", 2, "8 bytes", "credits", regime), campaign="swap"))
    table += [
        Row("engine.ns-per-op", median_time("engine", 1, "8 bytes", "interpretation", 1e3), 2.0, at_least=False, campaign="engine"),
        Row("reflect_init.26-neighbours.us", median_time("init", 2, "3d64, 26 neighbours", "reflect_init"), 100, at_least=False,
            campaign="init"),
    ]
    for problem, n in (("laplace", 1024), ("himeno", 128)):
        for ranks, regime, must in ((1, "unprobed", 0.98), (2, "near", 0.97), (2, "far", 0.97)):
            name = f"{problem}.1-rank" if ranks == 1 else f"{problem}.2-ranks.{regime}"
            limit = fraction("stencil", ranks, f"{problem} {n}", "sode", regime) if problem == "laplace" else None
            table.append(Row(name, worst_ratio("stencil", ranks, f"{problem} {n}", "sode", regime), must, campaign=f"{problem}.{ranks}",
                             limit=limit))
    table += [
        Row("laplace.16-ranks/2-ranks", time_ratio("stencil", "laplace 1024 alone", "sode", 16, 2), 1.5, at_least=False,
            campaign=("laplace.alone.2", "laplace.alone.16")),
        Row("halo.16^3.16-ranks", worst_ratio("halo", 16, "3d16_422", "buffered", "unprobed", PACKED), 1.3, campaign="crowd"),
        Row("halo.16^3.16-ranks.credits", worst_ratio("halo", 16, "3d16_422", "array", "unprobed", PACKED), campaign="crowd"),
    ]
    table += [
        Row("steady-state.no-calls", by_tests(machine, r"^steady_state\."), 3),
        Row("random-decompositions", by_tests(machine, r"^halo_random_test\.", {"TEST_CASES": "350"}, r"(\d+) cases"), 2000),
        Row("mutations-found", by_tests(machine, r"^(mutation_test|halo_plan_test)$"), 2),
        Row("kills-noticed.tasks", by_tests(machine, r"^faults_test\.tasks$", {"TEST_KILLS": "200", "TEST_NOTICE_S": "1"}, r"(\d+) kills"), 200),
        Row("kills-noticed", by_tests(machine, r"^faults_test$", {"TEST_KILLS": "100", "TEST_NOTICE_S": "1"}, r"(\d+) kills"), 100),
    ]
    return table_of(table + clusters.rows() + datatypes.rows() + tasks.rows() + task_ranks.rows() + collectives.rows())
