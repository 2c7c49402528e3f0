# SPDX-License-Identifier: Apache-2.0
"""Everything that was measured, and what may be concluded from it."""
import random
import statistics
from collections import defaultdict

RESAMPLES = 1000
PARTS = {"init_us", "start_us", "wait_us", "free_us"}


def _quantiles(sorted_values):
    return sorted_values[int(0.025 * len(sorted_values))], sorted_values[int(0.975 * len(sorted_values))]


def median_interval(values, resamples=RESAMPLES):
    """The 95 % bootstrap interval of the median (percentile method, fixed seed)."""
    draw = random.Random(20150816)
    return _quantiles(sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(resamples)))


def mean_interval(cells, resamples=RESAMPLES // 4):
    """The same of the geometric mean of the medians of several lists."""
    draw = random.Random(20150816)
    return _quantiles(sorted(statistics.geometric_mean([statistics.median(draw.choices(v, k=len(v))) for v in cells])
                             for _ in range(resamples)))


def picked(cells):
    """The way of {way: ratios} with the least median, chosen by the one half of everybody's samples and judged by the other, which the
    choice has not seen: (way, ratios to judge it by). One way alone keeps all its samples."""
    if len(cells) == 1:
        return next(iter(cells.items()))
    way = min(cells, key=lambda w: statistics.median(cells[w][0::2]))
    return way, cells[way][1::2] or cells[way]


class Samples:
    """Times by (program, ranks, case, set-up, method, regime), and ratios rival / ours of blocks of one turn and one regime; beside
    them the differences ours - rival, in microseconds, and limit / ours by (program, ranks, case, ours, limit, regime): fractions of
    what bare loops reach (bench/support/limit.hpp). A sample may have been measured in another set-up than its report."""

    def __init__(self, chosen_by=None):
        """`chosen_by`: what is chosen once, for all cases, is chosen by those samples; they have all cases."""
        self.chosen_by = chosen_by or self
        self.times = defaultdict(list)
        self.parts = defaultdict(list)  # what samples tell beside, by (program, ranks, case, set-up, method, regime, "start_us")
        self.ratios = defaultdict(list)
        self.differences = defaultdict(list)
        self.fractions = defaultdict(list)

    def add(self, report):
        where = (report["program"], report["ranks"])
        for case in report["cases"]:
            turns = defaultdict(dict)
            for s in case["samples"]:
                setup = s.get("setup", report["setup"])
                self.times[(*where, case["case"], setup, s["name"], s["regime"])].append(s["median_us"])
                for part in PARTS & s.keys():
                    self.parts[(*where, case["case"], setup, s["name"], s["regime"], part)].append(s[part])
                turns[s["turn"]][(setup, s["name"])] = s
            for turn in turns.values():
                self._pair((*where, case["case"]), report, turn)

    def _pair(self, where, report, turn):
        by_name = {name: (setup, s) for (setup, name), s in turn.items()}
        limits = report.get("limits", ())
        for ours in report["ours"]:
            if ours not in by_name:
                continue
            own_setup, mine = by_name[ours]
            for (setup, other), theirs in turn.items():
                if other in report["ours"] or mine["regime"] != theirs["regime"] or mine["median_us"] <= 0:
                    continue
                ratio = theirs["median_us"] / mine["median_us"]
                if other not in limits:
                    key = (*where, setup, ours, other, mine["regime"])
                    self.ratios[key].append(ratio)
                    self.differences[key].append(mine["median_us"] - theirs["median_us"])
                elif setup == own_setup:
                    self.fractions[(*where, ours, other, mine["regime"])].append(ratio)

    def cells(self, program, ranks, case, ours, regime, rivals=None):
        """{(set-up, rival): ratios} of everything that raced against `ours`."""
        return {(key[3], key[5]): values for key, values in self.ratios.items()
                if key[:3] == (program, ranks, case) and key[4] == ours and key[6] == regime
                and (rivals is None or key[5] in rivals)}

    def limits(self, program, ranks, case, ours, regime):
        """{limit: fractions}"""
        return {key[4]: values for key, values in self.fractions.items()
                if key[:4] == (program, ranks, case, ours) and key[5] == regime}

    def first_half(self):
        """Every other pair: what is chosen by these is judged by the others (picked)."""
        half = Samples()
        half.times = self.times
        for name in ("ratios", "differences", "fractions"):
            for key, values in getattr(self, name).items():
                getattr(half, name)[key] = values[0::2]
        return half
