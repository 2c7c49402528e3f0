# SPDX-License-Identifier: Apache-2.0
"""The bars of collectives, on samples that are known."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from sode_bars import collectives  # noqa: E402
from sode_bars.machine import Machine  # noqa: E402
from sode_bars.samples import Samples  # noqa: E402
from sode_bars.verdict import table_of  # noqa: E402


def samples(cells, program=collectives.PROGRAM, ours=collectives.OURS, ranks=2, regime="near", setup="vader"):
    """`cells`: {case: {name: microseconds}}"""
    found = Samples()
    for turn in range(8):
        found.add({"program": program, "ranks": ranks, "setup": setup, "ours": list(ours), "limits": ["limit:lines", "limit:pull", "limit:staged"],
                   "cases": [{"case": case, "samples": [{"turn": turn, "name": name, "regime": regime, "median_us": us, "start_us": 0.1,
                                                         "init_us": 9.0} for name, us in names.items()]} for case, names in cells.items()]})
    return found


def verdict(name, found):
    return next(r for r in table_of(collectives.rows()) if r.name == name).verdict(found)


class Rows(unittest.TestCase):
    def test_a_size_that_is_short_makes_the_row_short(self):
        found = samples({"bcast 8 B": {"shared": 1, "blocking": 3}, "bcast 1024 B": {"shared": 1, "blocking": 2.5, "persistent": 1.5}})
        told = verdict("collectives.bcast.shared.small.near", found)
        self.assertEqual((told.status, told.cases()), ("short", ["bcast 1024 B"]))
        self.assertEqual(verdict("collectives.bcast.shared.small.far", found).status, "unseen")

    def test_who_is_at_the_limit_cannot_be_short(self):
        found = samples({"scan 8 B": {"own": 1, "blocking": 1.2, "limit:lines": 0.95}})
        told = verdict("collectives.scan.own.small.near", found)
        self.assertEqual((told.status, told.why), ("ok", "at 0.95 of the limit"))
        self.assertEqual(verdict("collectives.scan.own.small.near.of-limit", found).status, "ok")

    def test_a_limit_of_other_memory_does_not_count(self):
        found = samples({"scan 8 B": {"own": 1, "blocking": 1.2, "limit:pull": 0.95}})
        self.assertEqual(verdict("collectives.scan.own.small.near", found).status, "short")

    def test_parts_are_bars_themselves(self):
        found = samples({"barrier": {"own": 1, "blocking": 2}})
        self.assertEqual(verdict("collectives.start.ns", found).status, "ok")
        self.assertAlmostEqual(verdict("collectives.init.ns", found).value.value, 9000)

    def test_what_the_layer_leaves_alone_is_told_in_nanoseconds(self):
        cells = {"barrier": {collectives.THROUGH_LAYER: 1.03, "blocking": 1.0}}
        told = verdict("collectives.layer.left-to-mpi.ns.near", samples(cells, collectives.LEFT, (collectives.THROUGH_LAYER,)))
        self.assertEqual(told.status, "short")
        self.assertAlmostEqual(told.value.value, 30)

    def test_every_row_has_its_campaigns(self):
        known = {c.name for c in collectives.campaigns(Machine(bin="/nowhere", build="", ctest="", mpirun={}))}
        self.assertEqual({name for r in collectives.rows() for name in r.campaign_names()} - known, set())


if __name__ == "__main__":
    unittest.main()
