# SPDX-License-Identifier: Apache-2.0
"""Everything that was measured, and what may be concluded from it."""
import random
import statistics
from collections import defaultdict


def median_interval(values, resamples=1000):
    """The 95 % bootstrap interval of the median (percentile method, fixed seed)."""
    draw = random.Random(20150816)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(resamples))
    return medians[int(0.025 * resamples)], medians[int(0.975 * resamples)]


class Samples:
    """Times by (program, ranks, case, set-up, method, regime), and ratios rival / ours of blocks of one turn and one regime; beside
    them the differences ours - rival, in microseconds. A sample may have been measured in another set-up than its report."""

    def __init__(self):
        self.times = defaultdict(list)
        self.ratios = defaultdict(list)
        self.differences = defaultdict(list)

    def add(self, report):
        where = (report["program"], report["ranks"])
        for case in report["cases"]:
            turns = defaultdict(dict)
            for s in case["samples"]:
                setup = s.get("setup", report["setup"])
                self.times[(*where, case["case"], setup, s["name"], s["regime"])].append(s["median_us"])
                turns[s["turn"]][(setup, s["name"])] = s
            for turn in turns.values():
                self._pair(where, case["case"], report, turn)

    def _pair(self, where, case, report, turn):
        by_name = {name: s for (_, name), s in turn.items()}
        for ours in report["ours"]:
            for (setup, rival), theirs in turn.items():
                mine = by_name.get(ours)
                if rival in report["ours"] or not mine or mine["regime"] != theirs["regime"] or mine["median_us"] <= 0:
                    continue
                key = (*where, case, setup, ours, rival, mine["regime"])
                self.ratios[key].append(theirs["median_us"] / mine["median_us"])
                self.differences[key].append(mine["median_us"] - theirs["median_us"])

    def cells(self, program, ranks, case, ours, regime, rivals=None):
        """{(set-up, rival): ratios} of everything that raced against `ours`."""
        return {(key[3], key[5]): values for key, values in self.ratios.items()
                if key[:3] == (program, ranks, case) and key[4] == ours and key[6] == regime
                and (rivals is None or key[5] in rivals)}
