# SPDX-License-Identifier: Apache-2.0
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from sode_bars import datatypes  # noqa: E402
from sode_bars.machine import Machine, SETUPS, usable_cores
from sode_bars.measures import Row, Value, by_tests, pairs_enough, time_ratio, worst_ratio
from sode_bars.reference import REFERENCE, bar, best_ratio, styles_of
from sode_bars.rows import campaigns, rows
from sode_bars.samples import Samples, median_interval


def sample(turn, name, regime, us):
    return {"turn": turn, "name": name, "regime": regime, "median_us": us}


def report(setup, samples, ranks=2, ours=("array",)):
    return {"program": "halo", "ranks": ranks, "setup": setup, "ours": list(ours), "cases": [{"case": "x", "samples": samples}]}


class Ratios(unittest.TestCase):
    def test_pairs_only_within_a_turn_and_a_regime(self):
        s = Samples()
        s.add(report("a", [sample(0, "array", "near", 1), sample(0, "isend", "near", 2), sample(1, "array", "near", 1),
                           sample(1, "isend", "far", 9), sample(2, "isend", "near", 9)]))
        self.assertEqual(s.cells("halo", 2, "x", "array", "near"), {("a", "isend"): [2]})
        self.assertEqual(s.cells("halo", 2, "x", "array", "far"), {})
        self.assertEqual(s.cells("halo", 2, "x", "array", "near", ("other",)), {})

    def test_the_best_rival_counts(self):
        s = Samples()
        for setup, ratio in (("a", 3.0), ("b", 1.5)):
            for turn in range(5):
                s.add(report(setup, [sample(turn, "array", "far", 1), sample(turn, "isend", "far", ratio)]))
        v = worst_ratio("halo", 2, "x", "array", "far")(s)
        self.assertEqual(v.value, 1.5)
        self.assertIn("b/isend", v.samples)
        self.assertIsNone(worst_ratio("halo", 2, "x", "array", "near")(s).value)
        self.assertFalse(pairs_enough("halo", 2, ["x"], "array", ["far"])(s))

    def test_time_ratio(self):
        s = Samples()
        s.add(report("a", [sample(0, "array", "unprobed", 6)], ranks=16))
        self.assertIsNone(time_ratio("halo", "x", "array", 16, 2)(s).value)
        s.add(report("a", [sample(0, "array", "far", 4), sample(1, "array", "between", 400)], ranks=2))
        self.assertEqual(time_ratio("halo", "x", "array", 16, 2)(s).value, 1.5)


class Reference(unittest.TestCase):
    def test_every_row_has_both_regimes_in_order(self):
        for kind, cases in REFERENCE.items():
            for case, regimes in cases.items():
                for regime in ("near", "far"):
                    least, most = regimes[regime]
                    self.assertLessEqual(least, most, (kind, case))
                    self.assertAlmostEqual(bar(kind, case, regime), 0.85 * least)

    def test_message_styles_and_windows_are_apart(self):
        self.assertEqual(styles_of("window"), ("window-barrier", "window-messages"))
        s = Samples()
        for turn in range(3):
            s.add(report("a", [sample(turn, "array", "near", 1), sample(turn, "packed-isend", "near", 2),
                               sample(turn, "window-barrier", "near", 1.5)]))
        self.assertEqual(best_ratio(s, 2, "x", "array", "near", "two-sided")[1], ("a", "packed-isend"))
        self.assertEqual(best_ratio(s, 2, "x", "array", "near", "window")[0], 1.5)
        self.assertIsNone(best_ratio(s, 2, "x", "array", "far", "window"))


class Cores(unittest.TestCase):
    def test_hardware_threads_of_a_core_count_once(self):
        with tempfile.TemporaryDirectory() as folder:
            for processor, siblings in enumerate(("0,2", "1,3", "0,2", "1,3")):
                with open(os.path.join(folder, str(processor)), "w", encoding="ascii") as file:
                    file.write(siblings + "\n")
            path = os.path.join(folder, "{}")
            self.assertEqual(usable_cores([0, 1, 2, 3], path), 2)
            self.assertEqual(usable_cores([1, 2, 9], path), 3)


class Interval(unittest.TestCase):
    def test_holds_the_median_and_narrows(self):
        few, many = [1, 2, 3, 4, 5], [1, 2, 3, 4, 5] * 20
        self.assertTrue(median_interval(few)[0] <= 3 <= median_interval(few)[1])
        width = [b - a for a, b in (median_interval(few), median_interval(many))]
        self.assertLess(width[1], width[0])


class Statuses(unittest.TestCase):
    """Of one value; reasons for an ok are in verdict_test.py."""

    def test_ok_short_unseen(self):
        least, most = Row("r", None, 1.8), Row("r", None, 2.0, at_least=False)
        self.assertEqual([least.status(Value(x)) for x in (1.8, 1.79, None)], ["ok", "short", "unseen"])
        self.assertEqual([most.status(Value(x)) for x in (2.0, 2.01, None)], ["ok", "short", "unseen"])
        self.assertEqual(least.status(Value(9, failed=True)), "short")
        self.assertEqual(Row("r", None).status(Value(0.1)), "ok")


class Tests(unittest.TestCase):
    class Suite:
        def __init__(self, output, status):
            self.answer = (output, status)

        def run_tests(self, pattern, settings):
            return self.answer

    OUTPUT = ("1: 350 cases, seeds from 1\n1/2 Test #1: halo.1 ....   Passed    0.1 sec\n"
              "2: 350 cases, seeds from 2\n2/2 Test #2: halo.2 ....   Passed    0.1 sec\n")

    def test_counts_what_tests_did(self):
        suite = self.Suite(self.OUTPUT, 0)
        self.assertEqual(by_tests(suite, "halo", {}, r"(\d+) cases")(None).value, 700)
        self.assertEqual(by_tests(suite, "halo")(None).value, 2)

    def test_a_failure_fails_the_row_and_nothing_is_unseen(self):
        self.assertTrue(by_tests(self.Suite(self.OUTPUT, 8), "halo")(None).failed)
        self.assertIsNone(by_tests(self.Suite("", 0), "halo")(None).value)


class Datatypes(unittest.TestCase):
    """The rows that read several cases at once."""

    @staticmethod
    def samples(cells, program="datatypes"):
        """{(case, set-up, method): microseconds}, 30 turns of each"""
        found = Samples()
        for case in dict.fromkeys(case for case, _, _ in cells):
            measured = [{"turn": turn, "setup": setup, "name": name, "regime": "near", "median_us": us}
                        for turn in range(30) for (c, setup, name), us in cells.items() if c == case]
            found.add({"program": program, "ranks": 2, "setup": "", "ours": ["sode vader"],
                       "cases": [{"case": case, "samples": measured}]})
        return found

    CELLS = {("nas_mg_x_32768", "vader", "datatypes"): 40, ("nas_mg_x_32768", "ucx", "datatypes"): 30,
             ("nas_mg_x_32768", "vader", "packing"): 20, ("nas_mg_x_32768", "vader", "sode vader"): 10,
             ("lammps_full_106368", "vader", "datatypes"): 120, ("lammps_full_106368", "vader", "sode vader"): 10,
             ("nas_lu_y_480", "vader", "datatypes"): 0.5, ("nas_lu_y_480", "vader", "sode vader"): 0.56}

    def test_means_and_the_worst_case(self):
        found = self.samples(self.CELLS)
        self.assertAlmostEqual(datatypes.mean_of("near", "datatypes")(found).value, 6)  # of 3 and 12
        least = {v.case: v.value for v in datatypes.least_of("near", "datatypes")(found)}
        self.assertAlmostEqual(least["nas_mg_x_32768"], 3)
        self.assertAlmostEqual(least["lammps_full_106368"], 12)
        self.assertEqual([v.value for v in datatypes.least_of("near", "packing")(found)], [2])
        self.assertIsNone(datatypes.mean_of("far", "datatypes")(found).value)

    def test_what_ours_could_not_do_fails_the_row(self):
        found = self.samples({k: v for k, v in self.CELLS.items() if k != ("nas_mg_x_32768", "vader", "sode vader")})
        self.assertTrue(datatypes.least_of("near", "datatypes")(found).failed)

    def test_short_messages_cost(self):
        dearest = datatypes.dearest("near", lambda case: case == "nas_lu_y_480")(self.samples(self.CELLS))
        self.assertAlmostEqual(dearest.value, 30)

    def test_first_uses(self):
        found = self.samples(self.CELLS)
        first = self.samples({("nas_mg_x_32768", "vader", "datatypes"): 40, ("nas_mg_x_32768", "vader", "sode vader"): 60}, "datatypes-first")
        for name in ("times", "ratios"):
            getattr(found, name).update(getattr(first, name))
        self.assertAlmostEqual(datatypes.slowest_start("near")(found).value, 1.5)


class Table(unittest.TestCase):
    def test_every_row_has_its_campaign_and_names_are_unique(self):
        nothing = Machine("/nowhere", "/nowhere", "ctest", {})
        table, by_name = rows(nothing), campaigns(nothing)
        self.assertEqual(len({r.name for r in table}), len(table))
        for r in table:
            for name in r.campaign_names():
                self.assertIn(name, by_name)
            self.assertEqual(r.verdict(Samples()).status, "unseen")
        self.assertEqual(len({s.name for s in SETUPS}), len(SETUPS))


if __name__ == "__main__":
    unittest.main()
