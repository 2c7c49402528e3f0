# SPDX-License-Identifier: Apache-2.0
"""`sode bench wrong-models`, without any MPI: what is drawn, and what samples come to."""
import os
import random
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "bars")]
from sode_bench import wrong_models  # noqa: E402
from sode_bench.wrong_models import Pair, drawn, pairs_of, table, verdict, verdicts  # noqa: E402

BASE = {"name": "this", "machine": {"cores": 2, "samples": {"near": 7}}, "cache_bytes": 102400, "cached_pages": 4096, "bridged_gap": 128,
        "local_byte": 0.008, "near": {"flag": 60, "stream_byte": 0.02}, "least_message_bytes": 4096, "measured": True}


class Drawn(unittest.TestCase):
    def test_costs_are_wrong_and_sizes_are_not(self):
        seen = []
        for seed in range(200):
            wrong = drawn(BASE, random.Random(seed))
            for name in ("name", "machine", "cache_bytes", "cached_pages", "bridged_gap", "least_message_bytes", "measured"):
                self.assertEqual(wrong[name], BASE[name])
            seen += [wrong["local_byte"] / BASE["local_byte"], wrong["near"]["flag"] / 60, wrong["near"]["stream_byte"] / 0.02]
        self.assertTrue(all(0.25 <= x <= 4 for x in seen))
        self.assertLess(min(seen), 0.3)
        self.assertGreater(max(seen), 3.3)

    def test_a_seed_draws_the_same(self):
        self.assertEqual(drawn(BASE, random.Random(7)), drawn(BASE, random.Random(7)))


class Pairs(unittest.TestCase):
    def test_the_best_path_is_found_by_one_half_and_judged_by_the_other(self):
        samples = {("near", "learnt"): dict.fromkeys(range(6), 10.0), ("near", "staged"): {0: 8, 1: 12, 2: 8, 3: 12, 4: 8, 5: 12},
                   ("near", "plain"): dict.fromkeys(range(6), 11.0)}
        whole = {("near", "learnt"): dict.fromkeys(range(6), 20.0), ("near", "staged"): dict.fromkeys(range(6), 30.0),
                 ("near", "plain"): dict.fromkeys(range(6), 18.0)}
        (pair,) = pairs_of(3, "vader", "a", samples, whole)
        self.assertEqual((pair.profile, pair.setup, pair.case, pair.path, pair.turns), (3, "vader", "a", "staged", 3))
        self.assertAlmostEqual(pair.ratio, 1.2)
        self.assertAlmostEqual(pair.rounds[0], 0.9)  # of whole rounds another path is the best

    def test_only_what_was_measured_in_one_regime_and_turn_is_compared(self):
        samples = {("near", "learnt"): {0: 10, 1: 10}, ("far", "plain"): {0: 1, 1: 1}, ("between", "learnt"): {2: 10, 3: 10},
                   ("between", "plain"): {2: 1, 3: 1}, ("near", "plain"): {4: 1, 5: 1}}
        self.assertEqual(pairs_of(0, "vader", "a", samples, samples), [])


class Verdict(unittest.TestCase):
    PAIRS = [Pair(0, "vader", "a", "near", "plain", 1.0, (0.95, 1.05), 3, (1.0, 0.9, 1.1)), Pair(0, "vader", "a", "far", "plain", 0.85, (0.7, 0.92), 3, (1.0, 0.9, 1.1)),
             Pair(1, "vader", "a", "near", "staged", 0.5, (0.4, 0.6), 3, (0.9, 0.8, 1.0)), Pair(1, "mpich", "a", "near", "staged", 2.0, (1.9, 2.1), 3, (1.2, 1.1, 1.3))]

    def test_counts_intervals(self):
        v = verdict([(p.ratio, *p.interval) for p in self.PAIRS])
        self.assertEqual((v["pairs"], v["share_at_0.9"], v["share_of_medians_at_0.9"], v["below_0.8"], v["worst"]), (4, 0.75, 0.5, 1, 0.5))
        self.assertAlmostEqual(v["geometric_mean"], (0.85 * 0.5 * 2) ** 0.25)

    def test_rounds_are_judged_beside_messages(self):
        pairs = [Pair(0, "vader", "a", "near", "plain", 0.7, (0.6, 0.75), 3, (1.1, 1.0, 1.2))]
        v = verdicts(pairs)
        self.assertEqual((v["messages"]["below_0.8"], v["rounds"]["below_0.8"], v["rounds"]["worst"]), (1, 0, 1.1))

    def test_table_says_the_seed_and_each_row_once(self):
        told = table(self.PAIRS, 42)
        self.assertIn("seed 42: 4 pairs", told)
        self.assertEqual(sum(line.startswith("vader") for line in told.splitlines()), 2)
        self.assertIn("0.50", told)
        self.assertEqual(wrong_models.LEARNT, 200)


if __name__ == "__main__":
    unittest.main()
