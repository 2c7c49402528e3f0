# SPDX-License-Identifier: Apache-2.0
"""The ratios that the prototypes reached, which the library is held against: bench/halo/reference.json."""
import json
import os
import statistics

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "halo", "reference.json")
SLACK = 0.85  # identical code differs by up to 20 % by where its data happen to lie

with open(FILE, encoding="utf-8") as _file:
    REFERENCE = {kind: cases for kind, cases in json.load(_file).items() if kind != "about"}

MESSAGES = ("packed-isend", "packed-persistent", "packed-pair", "derived-isend", "derived-persistent", "struct-persistent",
            "ineighbor-direction", "neighbor-direction", "ineighbor-peer", "neighbor-peer")
WINDOWS = ("window-barrier", "window-messages")


def styles_of(kind):
    """The rivals that a kind of reference is about."""
    return WINDOWS if kind == "window" else MESSAGES


def bar(kind, case, regime):
    """What must be reached; None where there is no reference."""
    known = REFERENCE[kind].get(case, {}).get(regime)
    return SLACK * known[0] if known else None


def aim(kind, case, regime):
    """From here on the reference is beaten."""
    known = REFERENCE[kind].get(case, {}).get(regime)
    return known[1] if known else None


def best_ratio(samples, ranks, case, ours, regime, kind):
    """(median ratio, (set-up, style), all its ratios) of the best rival of a kind; None if nothing was measured."""
    cells = samples.cells("halo", ranks, case, ours, regime, styles_of(kind))
    cells = {k: v for k, v in cells.items() if len(v) >= 3} or cells
    if not cells:
        return None
    best, ratios = min(cells.items(), key=lambda c: statistics.median(c[1]))
    return statistics.median(ratios), best, ratios
