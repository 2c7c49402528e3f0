#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fractions of limits, the rule of halves, the rule of intervals, and what is measured again."""
import json
import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from sode_bars import datatypes  # noqa: E402
from sode_bars.again import Again
from sode_bars.campaign import Campaign, mpi_campaign
from sode_bars.machine import processor
from sode_bars.measures import fraction, ratio_value, worst_ratio
from sode_bars.samples import Samples, mean_interval, picked
from sode_bars.verdict import Row, Value, table_of

LIMITS = ("limit:rows", "limit:packed")


def report(times, turns=12, first=0, **changes):
    """`times`: {name: microseconds, or a function of the turn}; ours is "array"."""
    at = lambda us, turn: us(turn) if callable(us) else us  # noqa: E731
    samples = [{"turn": turn, "name": name, "regime": "near", "median_us": at(us, turn)} for turn in range(first, first + turns)
               for name, us in times.items()]
    return {"program": "halo", "ranks": 2, "setup": "a", "ours": ["array"], "limits": list(LIMITS),
            "cases": [{"case": "x", "samples": samples}], **changes}


def samples(times, **changes):
    found = Samples()
    found.add(report(times, **changes))
    return found


class Limits(unittest.TestCase):
    def test_a_limit_is_no_rival(self):
        found = samples({"array": 2, "isend": 5, "limit:rows": 1.8})
        self.assertEqual(set(found.cells("halo", 2, "x", "array", "near")), {("a", "isend")})
        self.assertEqual(found.limits("halo", 2, "x", "array", "near"), {"limit:rows": [0.9] * 12})
        self.assertEqual(found.limits("halo", 2, "x", "array", "far"), {})

    def test_only_the_limit_of_the_same_job_counts(self):
        found = Samples()
        cells = {("u", "sode u"): 10, ("u", "limit:rows"): 8, ("v", "limit:rows"): 4, ("u", "datatypes"): 20, ("v", "datatypes"): 30}
        found.add({"program": "datatypes", "ranks": 2, "setup": "", "ours": ["sode u"], "limits": list(LIMITS), "cases": [
            {"case": "x", "samples": [{"turn": t, "setup": setup, "name": name, "regime": "near", "median_us": us}
                                      for t in range(4) for (setup, name), us in cells.items()]}]})
        self.assertEqual(found.limits("datatypes", 2, "x", "sode u", "near"), {"limit:rows": [0.8] * 4})

    def test_the_fastest_limit_counts(self):
        value = fraction("halo", 2, "x", "array", "near")(samples({"array": 2, "limit:rows": 1.8, "limit:packed": 1.2}))
        self.assertAlmostEqual(value.value, 0.6)
        self.assertIn("packed of 2 limits", value.samples)
        self.assertEqual((value.case, value.pairs), ("x", 6))


class Halves(unittest.TestCase):
    def test_what_chooses_does_not_judge(self):
        # Lucky in the half that chooses.
        way, judged = picked({"lucky": [1, 9] * 10, "steady": [2, 2] * 10})
        self.assertEqual((way, set(judged)), ("lucky", {9}))

    def test_one_way_needs_no_choice(self):
        self.assertEqual(picked({"only": [1, 2, 3]}), ("only", [1, 2, 3]))

    def test_equal_ways_show_no_gain(self):
        draw = random.Random(5)
        gains = []
        for _ in range(200):
            cells = {way: [draw.gauss(1, 0.2) for _ in range(30)] for way in range(10)}
            gains.append(ratio_value(picked(cells)[1], "").value)
        self.assertAlmostEqual(sum(gains) / len(gains), 1, delta=0.01)  # the least of ten medians of all would be near 0.93

    def test_the_mean_of_medians_lies_within_its_interval(self):
        low, high = mean_interval([[1, 2, 3] * 5, [4, 8, 16] * 5])
        self.assertTrue(low <= 4 <= high)


class Verdicts(unittest.TestCase):
    ROW = Row("r", None, 1.8)

    def judged(self, value, of_limit=None, row=ROW):
        return row.judged(value, None if of_limit is None else Value(of_limit))

    def test_an_interval_that_reaches_the_bar_is_enough(self):
        self.assertEqual(self.judged(Value(1.7, low=1.6, high=1.81)), ("ok", "within the interval"))
        self.assertEqual(self.judged(Value(1.7, low=1.6, high=1.79)), ("short", "-"))
        self.assertEqual(self.judged(Value(1.7)), ("short", "-"))
        most = Row("m", None, 2, at_least=False)
        self.assertEqual(self.judged(Value(2.1, low=1.9, high=2.2), row=most), ("ok", "within the interval"))
        self.assertEqual(self.judged(Value(2.1, low=2.01, high=2.2), row=most), ("short", "-"))

    def test_a_ratio_at_the_limit_counts_as_met(self):
        short = Value(1.5, low=1.4, high=1.6)
        self.assertEqual(self.judged(short, 0.93), ("ok", "at 0.93 of the limit"))
        self.assertEqual(self.judged(short, 0.89), ("short", "-"))
        self.assertEqual(self.judged(Value(0, failed=True), 0.99), ("short", "-"))

    def test_the_fraction_has_a_row_of_its_own(self):
        row = Row("r", worst_ratio("halo", 2, "x", "array", "near"), 3, limit=fraction("halo", 2, "x", "array", "near"), limit_must=0.85)
        ratio, of_limit = table_of([row])
        self.assertEqual((of_limit.name, of_limit.target()), ("r.of-limit", ">= 0.85"))
        near = samples({"array": 2, "isend": 5, "limit:rows": 1.9})
        self.assertEqual([r.verdict(near).status for r in (ratio, of_limit)], ["ok", "ok"])
        apart = samples({"array": 2, "isend": 5, "limit:rows": 1.6})
        self.assertEqual([r.verdict(apart).status for r in (ratio, of_limit)], ["short", "short"])
        row.limit_row = False
        self.assertEqual(table_of([row]), [row])

    def test_one_core_is_a_limit_without_a_bar_and_lets_nothing_count_as_met(self):
        limit, tightest = (fraction("halo", 2, "x", "array", "near", one_core) for one_core in (False, True))
        row = Row("r", worst_ratio("halo", 2, "x", "array", "near"), 3, limit=limit, limit_must=0.85, tightest=tightest)
        found = Samples()
        found.add(report({"array": 2, "isend": 5, "limit:rows": 1.9, "limit:receiver": 1.2}, limits=[*LIMITS, "limit:receiver"]))
        told = {r.name: r.verdict(found) for r in table_of([row])}
        self.assertEqual({name: (round(v.value.value, 2), v.status) for name, v in told.items()},
                         {"r": (2.5, "short"), "r.of-limit": (0.95, "ok"), "r.of-any-limit": (0.6, "ok")})

    def test_every_case_of_a_row_must_reach_it(self):
        values = [Value(2.5, case="a"), Value(1.2, case="b"), Value(1.5, case="c"), Value(case="d")]
        row = Row("r", lambda _: values, 2, limit=lambda _: [Value(0.95, case="b"), Value(0.5, case="c")])
        verdict = row.verdict(None)
        self.assertEqual((verdict.value.case, verdict.status), ("c", "short"))  # b is at its limit
        self.assertEqual(verdict.cases(), ["b", "c"])
        self.assertIn("b 1.20, c 1.50", verdict.text())


class SecondMeasurement(unittest.TestCase):
    """Of a program that writes what it is told to."""

    def program(self, folder, times):
        path = os.path.join(folder, "program")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nwhile [ $1 != --json ]; do shift; done\ncat > $2 <<'END'\n{json.dumps(report(times))}\nEND\n")
        os.chmod(path, 0o700)
        return path

    def run_again(self, first_times, second_times):
        row = Row("r", worst_ratio("halo", 2, "x", "array", "near"), 3, campaign="c")
        found = samples(first_times)
        first = {"r": row.verdict(found)}
        again = Again([row], first, found)
        with tempfile.TemporaryDirectory() as folder:
            campaign = Campaign("c", [([self.program(folder, second_times)], {})], lambda _: False)
            again.measure({"c": campaign}, 1, lambda _: None)
        return again

    def test_a_short_row_is_measured_with_thirty_pairs_and_both_are_told(self):
        again = self.run_again({"array": 1, "isend": 2}, {"array": 1, "isend": 3.5})
        self.assertEqual(again.verdict("r").status, "ok")
        self.assertEqual(again.verdict("r").value.pairs, 36)  # three runs of twelve
        self.assertRegex(again.text("r"), r"again: 36 \[3\.5, 3\.5\].*first: 2 12 \[2, 2\]")

    def test_what_is_met_is_not_measured_again(self):
        again = self.run_again({"array": 1, "isend": 4}, {"array": 1, "isend": 1})
        self.assertEqual(again.verdict("r").value.value, 4)
        self.assertFalse(again.second)

    def test_only_the_cases_that_are_short(self):
        launcher = type("M", (), {"mpi_command": lambda self, setup, ranks, program, *words: [program, *words]})()
        campaign = mpi_campaign(launcher, "c", "halo", 2, ["--cases", "x,y,z", "--turns", "2"], ("vader",), None)
        self.assertEqual(campaign.again(["y"], None).commands[0][0], ["halo", "--cases", "y", "--turns", "2"])
        self.assertEqual(campaign.again([], None).commands, campaign.commands)
        self.assertEqual(datatypes.of_group("nas_mg_y,nas_mg_z", ["nas_mg_y_65536", "fft2d_524288"]), ["nas_mg_y_65536"])

    def test_what_was_chosen_for_all_cases_stays_chosen(self):
        every = Samples()
        few = Samples(chosen_by=every)
        self.assertIs(few.chosen_by, every)
        self.assertIs(every.chosen_by, every)


class Processors(unittest.TestCase):
    def test_a_name_with_its_numbers(self):
        with tempfile.NamedTemporaryFile("w", encoding="ascii") as file:
            file.write("processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\nstepping\t: 1\n\nmodel name\t: other\n")
            file.flush()
            self.assertEqual(processor(file.name), "AMD EPYC (family 25, model 17, stepping 1)")
        self.assertEqual(processor("/nowhere"), "an unknown processor")


if __name__ == "__main__":
    unittest.main()
