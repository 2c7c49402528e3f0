# SPDX-License-Identifier: Apache-2.0
"""This build against another one, turn about: has anything become slower? The rivals are measured too: nothing has changed in them, so
they tell what the machine did to both."""
import os
import statistics
import sys
import time
from dataclasses import replace

from .campaign import ENOUGH, Campaign
from .samples import Samples, median_interval

MANY = 2 * ENOUGH  # passes; a row has fewer pairs where the machine is now near, now far
FEW = 8  # pairs that a row wants before it is judged; a row that seems slower wants ENOUGH


class Pairs:
    """Times of the other build / of this one, by (program, ranks, case, set-up, method, regime)."""

    def __init__(self):
        self.ours = {}
        self.rivals = {}

    def add(self, here, there):
        """What a run of each has measured, one after the other: `here` and `there` are what their programs have reported."""
        for key, mine in medians(here).items():
            theirs = medians(there).get(key)
            if theirs and mine > 0:
                # A program that races against nobody names nobody as its own.
                ours = any(key[4] in report["ours"] or not report["ours"] for report in here if report["program"] == key[0])
                (self.ours if ours else self.rivals).setdefault(key, []).append(theirs / mine)

    def verdict(self, key):
        ratios = self.ours[key]
        low, high = median_interval(ratios)
        status = "few" if len(ratios) < FEW else "slower" if high < 1 else "ok"
        return statistics.median(ratios), low, high, len(ratios), status

    def slower(self, wanted=ENOUGH):
        """The rows that seem slower and have too few pairs to say so."""
        return [k for k, v in self.ours.items() if len(v) < wanted and self.verdict(k)[4] == "slower"]


def medians(reports):
    """{key: median time of the run}; limits are left out."""
    found = {}
    for report in reports:
        for case in report["cases"]:
            for s in case["samples"]:
                if s["name"] not in report.get("limits", ()):
                    key = (report["program"], report["ranks"], case["case"], s.get("setup", report["setup"]), s["name"], s["regime"])
                    found.setdefault(key, []).append(s["median_us"])
    return {key: statistics.median(times) for key, times in found.items()}


class Reports(Samples):
    """Keeps what programs report as it is."""

    def __init__(self):
        super().__init__()
        self.all = []

    def add(self, report):
        self.all.append(report)


def other_machine(machine, build):
    return replace(machine, bin=os.path.join(build, "bin"), build=build, layers=os.path.join(build, "lib", "sode"))


def run_pair(here, there, first, pairs):
    """One run of each; who is first changes from pair to pair."""
    reports = {}
    for side, campaign in ((0, here), (1, there)) if first else ((1, there), (0, here)):
        reports[side] = Reports()
        campaign.run_once(reports[side])
        if campaign.failure:
            return campaign.failure
    pairs.add(reports[0].all, reports[1].all)
    return None


SHORTER = {"--styles": lambda styles: styles.split(",")[0], "--turns": lambda turns: str(min(int(turns), 2))}


def shortened(words):
    """The same cases in less time: one rival, who tells what the machine did, two blocks, and no limits (an older build may not know
    them). What counts is how often the two builds take turns."""
    kept = [word for word in words if word != "--limits"]
    return [SHORTER[before](word) if before in SHORTER else word for before, word in zip([None, *kept], kept)]


def one_setup(campaign):
    """On one machine ours does not go through the MPI: one of its set-ups is enough."""
    commands = [(shortened(words), environment) for words, environment in campaign.commands[:1]]
    return Campaign(campaign.name, commands, campaign.enough, campaign.narrow)


def compare(ours, theirs, minutes, again, log):
    """Runs the campaigns of both builds; returns the pairs, and what failed."""
    pairs, failures = Pairs(), []
    both = [(one_setup(ours[name]), one_setup(theirs[name])) for name in ours
            if name in theirs and ours[name].commands and theirs[name].commands]
    keys = {}  # of each campaign
    passes = 0

    def round_of(active, end):
        nonlocal passes
        passes += 1
        for here, there in active:
            if time.monotonic() >= end and passes > 1:
                return
            log(f"pass {passes}: {here.name}")
            before = {k: len(v) for k, v in pairs.ours.items()}
            failure = run_pair(here, there, passes % 2 == 1, pairs)
            keys.setdefault(here.name, set()).update(k for k, v in pairs.ours.items() if len(v) > before.get(k, 0))
            if failure:
                print(failure, file=sys.stderr)
                failures.append(here.name)

    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        active = [c for c in both if c[0].name not in failures and passes < MANY]
        if not active:
            break
        round_of(active, end)
    end = time.monotonic() + 60 * again
    while time.monotonic() < end:
        short = set(pairs.slower())
        active = [c for c in both if c[0].name not in failures and keys.get(c[0].name, set()) & short]
        if not active:
            break
        round_of(active, end)
    return pairs, failures


def told(pairs):
    """The table: a line for each row of ours; the last one is about all rivals."""
    for key in sorted(pairs.ours):
        ratio, low, high, count, status = pairs.verdict(key)
        yield "\t".join((".".join(str(k) for k in key), f"{ratio:.3f}", f"[{low:.3f}, {high:.3f}]", f"{count} pairs", status))
    same = [statistics.median(v) for v in pairs.rivals.values() if len(v) >= FEW]
    if same:
        yield f"rivals, which have not changed: {min(same):.3f} to {max(same):.3f}, median {statistics.median(same):.3f} of {len(same)} rows"
