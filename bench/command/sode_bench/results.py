# SPDX-License-Identifier: Apache-2.0
"""A document of `sode bench`, and what may be concluded from it."""
import datetime
import json
import statistics
from collections import defaultdict
from dataclasses import dataclass

from sode_bars.reference import MESSAGES, WINDOWS
from sode_bars.samples import Samples, median_interval

FORMAT = "sode bench 1"
REGIMES = ("near", "far", "unprobed")
REGIME_TEXT = {
    "near": "near cores (a cache line's round trip takes less than 180 ns)",
    "far": "far cores (a cache line's round trip takes more than 250 ns)",
    "unprobed": "distance of the cores not probed (more than two ranks, or fewer cores than ranks)",
}
KINDS = {"messages": MESSAGES, "window": WINDOWS}


class NotADocument(Exception):
    """What was read is no document of this format."""


def new_document(command, setups, machine):
    return {"format": FORMAT, "made": datetime.datetime.now().astimezone().isoformat(timespec="seconds"), "command": command,
            "machine": machine, "setups": setups, "skipped": [], "reports": []}


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError) as e:
        raise NotADocument(f"cannot read {path} ({e})") from e
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise NotADocument(f"{path} is no result of `sode bench` (no \"format\": \"{FORMAT}\")")
    return document


@dataclass
class Best:
    """The best rival of a kind: the least median ratio rival / ours."""
    ratio: float
    low: float
    high: float
    setup: str
    style: str
    us: float
    pairs: int


class Results:
    def __init__(self, document):
        self.document = document
        self.samples = Samples()
        self.reports = document["reports"]
        self.sizes = {}
        self.order = []
        for report in self.reports:
            self.samples.add(report)
            for case in report["cases"]:
                key = (report["program"], report["ranks"], case["case"])
                if key not in self.order:
                    self.order.append(key)
                if case.get("sizes"):
                    self.sizes[key] = case["sizes"]
        self._times = defaultdict(lambda: defaultdict(list))
        for (program, ranks, case, setup, method, regime), values in self.samples.times.items():
            self._times[(program, ranks, case, regime)][(setup, method)] += values

    def cases(self, program):
        """[(ranks, case)], as they were first measured."""
        return [key[1:] for key in self.order if key[0] == program]

    def regimes(self, program, ranks=None):
        seen = {key[3] for key in self._times if key[0] == program and ranks in (None, key[1])}
        return [r for r in REGIMES if r in seen]

    def dropped(self, program):
        """Blocks that belong to no regime."""
        return sum(len(v) for key, methods in self._times.items() if key[0] == program and key[3] == "between" for v in methods.values())

    def ours(self, program):
        return list(dict.fromkeys(n for r in self.reports if r["program"] == program for n in r["ours"]))

    def times(self, program, ranks, case, regime):
        """{(set-up, method): microseconds of each block}"""
        return self._times.get((program, ranks, case, regime), {})

    def times_of(self, program, ranks, case, regime, method):
        return [t for (_, name), values in self.times(program, ranks, case, regime).items() if name == method for t in values]

    def best(self, program, ranks, case, regime, ours, styles=None, fewest=3):
        """The best rival (of `styles`, or of all), or None. Cells of fewer than `fewest` pairs count only where there are no others."""
        cells = self.samples.cells(program, ranks, case, ours, regime, styles)
        cells = {k: v for k, v in cells.items() if len(v) >= fewest} or cells
        if not cells:
            return None
        (setup, style), ratios = min(cells.items(), key=lambda c: statistics.median(c[1]))
        low, high = median_interval(ratios)
        us = statistics.median(self.times(program, ranks, case, regime)[(setup, style)])
        return Best(statistics.median(ratios), low, high, setup, style, us, len(ratios))
