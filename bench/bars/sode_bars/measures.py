# SPDX-License-Identifier: Apache-2.0
"""What a bar is, and the ways to measure one from the samples."""
import re
import statistics
from dataclasses import dataclass

from .campaign import ENOUGH
from .samples import median_interval


@dataclass
class Value:
    """What a row came to. value None: nothing to conclude from."""
    value: float | None = None
    samples: str = "0"
    failed: bool = False
    high: float | None = None  # the upper end of its interval


@dataclass
class Row:
    name: str
    measure: object  # (samples) -> Value
    must: float | None = None  # None: reported beside others, no bar
    aim: float | None = None
    at_least: bool = True
    campaign: str | None = None
    within: bool = False  # it is enough that the interval reaches `must`: for what shall be equal

    def target(self):
        if self.must is None:
            return "-"
        text = f"{'>=' if self.at_least else '<='} {self.must:g}{' within the interval' if self.within else ''}"
        return text if self.aim is None else f"{text} (aim {self.aim:g})"

    def status(self, v):
        if v.failed:
            return "short"
        if v.value is None:
            return "unseen"
        if self.must is None:
            return "ok"
        value = v.high if self.within else v.value
        return "ok" if (value >= self.must if self.at_least else value <= self.must) else "short"


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
        return Value(statistics.median(ratios), f"{len(ratios)} [{low:.2f}, {high:.2f}] {rival}, {len(cells)} rivals, fewest {fewest}", high=high)
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
