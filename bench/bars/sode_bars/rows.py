# SPDX-License-Identifier: Apache-2.0
"""The bars: a table. A later issue adds lines here, and campaigns where it needs new programs."""
import re
import statistics
from dataclasses import dataclass

from .campaign import ENOUGH, mpi_campaign, plain_campaign
from .samples import median_interval

PACKED = ("packed-isend", "packed-persistent")
TWO_SIDED = ("vader", "vader-cma", "ucx", "mpich", "mpich-cma")


@dataclass
class Value:
    """What a row came to. value None: nothing to conclude from."""
    value: float | None = None
    samples: str = "0"
    failed: bool = False


@dataclass
class Row:
    name: str
    measure: object  # (samples) -> Value
    must: float | None = None  # None: reported beside others, no bar
    aim: float | None = None
    at_least: bool = True
    campaign: str | None = None

    def target(self):
        if self.must is None:
            return "-"
        text = f"{'>=' if self.at_least else '<='} {self.must:g}"
        return text if self.aim is None else f"{text} (aim {self.aim:g})"

    def status(self, v):
        if v.failed:
            return "short"
        if v.value is None:
            return "unseen"
        if self.must is None:
            return "ok"
        return "ok" if (v.value >= self.must if self.at_least else v.value <= self.must) else "short"


def worst_ratio(program, ranks, case, ours, regime, rivals=None):
    """The best rival's median ratio: the least over set-ups and styles, which favours the rivals."""
    def measure(samples):
        cells = samples.cells(program, ranks, case, ours, regime, rivals)
        cells = {k: v for k, v in cells.items() if len(v) >= 3}
        if not cells:
            return Value()
        best, ratios = min(cells.items(), key=lambda c: statistics.median(c[1]))
        low, high = median_interval(ratios)
        fewest = min(len(v) for v in cells.values())
        rival = "/".join(x for x in best if x)
        return Value(statistics.median(ratios), f"{len(ratios)} [{low:.2f}, {high:.2f}] {rival}, {len(cells)} rivals, fewest {fewest}")
    return measure


def pairs_enough(program, ranks, cases, ours, regimes, rivals=None):
    """Every cell of every case has its pairs, in all regimes."""
    def enough(samples):
        for case in cases:
            for regime in regimes:
                cells = samples.cells(program, ranks, case, ours, regime, rivals)
                if not cells or min(len(v) for v in cells.values()) < ENOUGH:
                    return False
        return True
    return enough


def median_time(program, ranks, case, method, scale=1.0):
    def measure(samples):
        times = [t * scale for key, values in samples.times.items()
                 if key[:3] == (program, ranks, case) and key[4] == method and key[5] != "between" for t in values]
        if not times:
            return Value()
        return Value(statistics.median(times), f"{len(times)}")
    return measure


def time_ratio(program, case, method, ranks, base_ranks):
    """Time of `ranks` ranks / time of `base_ranks`."""
    def measure(samples):
        def of(n):
            return [t for key, values in samples.times.items()
                    if key[:3] == (program, n, case) and key[4] == method and key[5] != "between" for t in values]
        many, few = of(ranks), of(base_ranks)
        if not many or not few:
            return Value()
        return Value(statistics.median(many) / statistics.median(few), f"{len(many)} and {len(few)}")
    return measure


def times_enough(program, ranks, case, method, count):
    def enough(samples):
        return sum(len(v) for k, v in samples.times.items() if k[:3] == (program, ranks, case) and k[4] == method) >= count
    return enough


def by_tests(machine, pattern, settings=None, counter=None):
    """Tests of the suite that are bars themselves. The value is what they say they did (the sum of the numbers that `counter` finds),
    or how many tests passed; one failure fails the row."""
    def measure(_):
        output, status = machine.run_tests(pattern, settings or {})
        passed = len(re.findall(r"^\s*\d+/\d+ Test .* Passed ", output, re.MULTILINE))
        if status != 0:
            return Value(0, f"{passed} tests passed", failed=True)
        if passed == 0:
            return Value()
        if counter is None:
            return Value(float(passed), f"{passed} tests")
        return Value(float(sum(int(n) for n in re.findall(counter, output))), f"{passed} tests")
    return measure


def campaigns(machine):
    """What has to be run, by name."""
    halo = ["--cases", "3d64_x,3d64_y,3d64_z", "--styles", ",".join(PACKED), "--turns", "5"]
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
                machine, f"{problem}.{ranks}", "bench_stencil", [problem, "-n", str(n), "--ranks", str(ranks), "--pairs", "6"],
                pairs_enough("stencil", ranks, [f"{problem} {n}"], "sode", regimes)))
    for ranks in (2, 16):
        all_campaigns.append(plain_campaign(
            machine, f"laplace.alone.{ranks}", "bench_stencil",
            ["laplace", "-n", "1024", "--ranks", str(ranks), "--alone", "--pairs", "1", "--steps", "1000", "--setup", "alone"],
            times_enough("stencil", ranks, "laplace 1024 alone", "sode", 5)))
    return {c.name: c for c in all_campaigns}


def rows(machine):
    """Issue 2, First light. Sizes are per rank, x is the slowest index."""
    table = []
    for axis, near, far in (("x", (1.8, 2.2), (1.8, 2.3)), ("y", (1.8, 2.2), (1.25, 1.5)), ("z", (1.0, 1.2), (1.0, 1.2))):
        for regime, (must, aim) in (("near", near), ("far", far)):
            table.append(Row(f"halo.64^3.{axis}.{regime}", worst_ratio("halo", 2, f"3d64_{axis}", "array", regime, PACKED), must, aim,
                             campaign="halo"))
    for regime, must in (("near", 1.7), ("far", 1.3)):
        table.append(Row(f"swap8.ack-free.{regime}", worst_ratio("latency", 2, "8 bytes", "buffered", regime), must, campaign="swap"))
        table.append(Row(f"swap8.credits.{regime}", worst_ratio("latency", 2, "8 bytes", "credits", regime), campaign="swap"))
    table += [
        Row("engine.ns-per-op", median_time("engine", 1, "8 bytes", "interpretation", 1e3), 2.0, at_least=False, campaign="engine"),
        Row("reflect_init.26-neighbours.us", median_time("init", 2, "3d64, 26 neighbours", "reflect_init"), 100, at_least=False,
            campaign="init"),
    ]
    for problem, n in (("laplace", 1024), ("himeno", 128)):
        table.append(Row(f"{problem}.1-rank", worst_ratio("stencil", 1, f"{problem} {n}", "sode", "unprobed"), 0.98,
                         campaign=f"{problem}.1"))
        for regime in ("near", "far"):
            table.append(Row(f"{problem}.2-ranks.{regime}", worst_ratio("stencil", 2, f"{problem} {n}", "sode", regime), 0.97,
                             campaign=f"{problem}.2"))
    table += [
        Row("laplace.16-ranks/2-ranks", time_ratio("stencil", "laplace 1024 alone", "sode", 16, 2), 1.5, at_least=False,
            campaign="laplace.alone.16"),
        Row("halo.16^3.16-ranks", worst_ratio("halo", 16, "3d16_422", "buffered", "unprobed", PACKED), 1.0, campaign="crowd"),
        Row("halo.16^3.16-ranks.credits", worst_ratio("halo", 16, "3d16_422", "array", "unprobed", PACKED), campaign="crowd"),
    ]
    table += [
        Row("steady-state.no-calls", by_tests(machine, r"^steady_state\."), 3),
        Row("random-decompositions", by_tests(machine, r"^halo_random_test\.", {"TEST_CASES": "350"}, r"(\d+) cases"), 2000),
        Row("mutations-found", by_tests(machine, r"^(mutation_test|halo_plan_test)$"), 2),
        Row("kills-noticed", by_tests(machine, r"^faults_test$", {"TEST_KILLS": "100"}, r"(\d+) kills"), 100),
    ]
    return table
