# SPDX-License-Identifier: Apache-2.0
"""The ways to measure a bar from the samples."""
import re
import statistics

from .campaign import ENOUGH
from .samples import median_interval, picked
from .verdict import Row, Value  # noqa: F401  (whoever measures needs them)

FEWEST = 3  # pairs; fewer say nothing at all
FEWEST_OF_INTERVAL = 6  # an interval of fewer says nothing


def ratio_value(ratios, text, case=""):
    """The median of ratios (or times) that have been chosen, with its interval."""
    low, high = median_interval(ratios)
    told = f"{len(ratios)} [{low:.3g}, {high:.3g}] {text}".rstrip()
    enough = len(ratios) >= FEWEST_OF_INTERVAL
    return Value(statistics.median(ratios), told, low=low if enough else None, high=high if enough else None, pairs=len(ratios), case=case)


def worst_ratio(program, ranks, case, ours, regime, rivals=None):
    """The best rival's median ratio: the least over set-ups and styles, which favours the rivals."""
    def measure(samples):
        cells = samples.cells(program, ranks, case, ours, regime, rivals)
        cells = {k: v for k, v in cells.items() if len(v) >= FEWEST}
        if not cells:
            return Value()
        best, ratios = picked(cells)
        fewest = min(len(v) for v in cells.values())
        rival = "/".join(x for x in best if x)
        return ratio_value(ratios, f"{rival}, {len(cells)} rivals, fewest {fewest}", case)
    return measure


ONE_CORE = "limit:receiver"


def limit_value(samples, program, ranks, case, ours, regime, one_core=False):
    cells = {k: v for k, v in samples.limits(program, ranks, case, ours, regime).items() if len(v) >= FEWEST and (one_core or k != ONE_CORE)}
    if not cells:
        return Value(case=case)
    best, fractions = picked(cells)
    return ratio_value(fractions, f"{case}, {best.removeprefix('limit:')} of {len(cells)} limits", case)


def fraction(program, ranks, case, ours, regime, one_core=False):
    """Time of the limit / ours: 1 is at the limit. The limit is the fastest of several bare loops of both cores; with `one_core`, also of
    the receiver alone, who is faster where stores into the other's cache are dear."""
    return lambda samples: limit_value(samples, program, ranks, case, ours, regime, one_core)


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
        return ratio_value(times, "")
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
        return Value(statistics.median(many) / statistics.median(few), f"{len(many)} and {len(few)}", pairs=min(len(many), len(few)))
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
