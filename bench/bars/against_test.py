#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""This build against another: what is a pair, what is slower, what is measured again."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from sode_bars import against  # noqa: E402
from sode_bars.campaign import ENOUGH, Campaign
from sode_bars.machine import Machine

KEY = ("halo", 2, "x", "vader", "array", "near")


def report(us, rival=3.0):
    samples = [{"turn": t, "name": name, "regime": "near", "median_us": time} for t in range(3)
               for name, time in (("array", us), ("isend", rival), ("limit:rows", 1.0))]
    return {"program": "halo", "ranks": 2, "setup": "vader", "ours": ["array"], "limits": ["limit:rows"],
            "cases": [{"case": "x", "samples": samples}]}


class Scripted(Campaign):
    """Reports what it is told to, one after the other."""

    def __init__(self, name, times, order=None):
        super().__init__(name, [("nothing", {})], None)
        self.times, self.order = times, order

    def run_once(self, samples):
        if self.order is not None:
            self.order.append(self.name)
        samples.add(report(self.times.pop(0) if len(self.times) > 1 else self.times[0]))


class Against(unittest.TestCase):
    @staticmethod
    def compared(here, there, passes):
        pairs = against.Pairs()
        ours, theirs = Scripted("here", here), Scripted("there", there)
        for p in range(passes):
            against.run_pair(ours, theirs, p % 2 == 0, pairs)
        return pairs

    def test_a_pair_is_old_over_new_and_limits_are_left_out(self):
        pairs = self.compared([2.0], [3.0], 8)
        self.assertEqual(pairs.ours, {KEY: [1.5] * 8})
        self.assertEqual(list(pairs.rivals), [(*KEY[:4], "isend", "near")])
        self.assertEqual(pairs.verdict(KEY)[4], "ok")

    def test_slower_is_what_lies_wholly_below_one(self):
        self.assertEqual(self.compared([2.0], [1.9], 8).verdict(KEY)[4], "slower")
        self.assertEqual(self.compared([2.0], [1.9, 2.2] * 4, 8).verdict(KEY)[4], "ok")
        self.assertEqual(self.compared([2.0], [1.9], 7).verdict(KEY)[4], "few")

    def test_who_is_first_changes(self):
        order = []
        for p in range(2):
            against.run_pair(Scripted("here", [1.0], order), Scripted("there", [1.0], order), p % 2 == 0, against.Pairs())
        self.assertEqual(order, ["here", "there", "there", "here"])

    def test_what_seems_slower_wants_more_pairs(self):
        pairs = self.compared([2.0], [1.9], 8)
        self.assertEqual(pairs.slower(), [KEY])
        self.assertEqual(self.compared([2.0], [1.9], ENOUGH).slower(), [])

    def test_limits_are_not_asked_for_and_one_setup_is_enough(self):
        both = Campaign("halo", [(["a", "--limits", "--turns", "5"], {}), (["b"], {})], None)
        self.assertEqual(against.one_setup(both).commands, [(["a", "--turns", "2"], {})])

    def test_one_rival_is_enough(self):
        words = ["a", "--cases", "x,y", "--styles", "isend,pair,window", "--turns", "1"]
        self.assertEqual(against.shortened(words), ["a", "--cases", "x,y", "--styles", "isend", "--turns", "1"])

    def test_a_program_without_rivals_is_ours(self):
        pairs = against.Pairs()
        pairs.add([{**report(2.0), "ours": []}], [{**report(3.0), "ours": []}])
        self.assertEqual(pairs.ours[KEY], [1.5])

    def test_the_other_build_is_found_by_its_folder(self):
        other = against.other_machine(Machine("/a/bin", "/a", "ctest", {}, "/a/lib/sode"), "/b")
        self.assertEqual((other.bin, other.layers), ("/b/bin", "/b/lib/sode"))


if __name__ == "__main__":
    unittest.main()
