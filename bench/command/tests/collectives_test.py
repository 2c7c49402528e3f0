# SPDX-License-Identifier: Apache-2.0
"""`sode bench collectives`, without any MPI: what is run, and what samples come to."""
import os
import sys
import unittest
import xml.etree.ElementTree as xml
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "bars")]
from sode_bars.machine import SETUPS, Machine, setups_of  # noqa: E402
from sode_bench import collectives  # noqa: E402
from sode_bench.page.document import page  # noqa: E402
from sode_bench.results import Results, new_document  # noqa: E402
from sode_bench.summary import summary  # noqa: E402
from sode_bench.table import text  # noqa: E402

# Microseconds by (set-up, name). A report is of one set-up.
TIMES = {
    "allreduce 8 B": {("vader", "own"): 0.4, ("vader", "shared"): 0.3, ("vader", "blocking"): 0.8, ("vader", "persistent"): 1.2,
                      ("vader", "limit:lines"): 0.24, ("vader", "limit:pull"): 0.27, ("vader", "limit:staged"): 0.5,
                      ("mpich", "own"): 0.4, ("mpich", "shared"): 0.3, ("mpich", "blocking"): 1.0, ("mpich", "persistent"): 0.6},
    "allreduce 4096 B": {("vader", "own"): 2, ("vader", "shared"): 1, ("vader", "blocking"): 3, ("vader", "limit:staged"): 1.8,
                         ("vader", "limit:slices"): 0.9},
}


def results(times=None, program=collectives.PROGRAM, ours=collectives.OURS, regime="near", ranks=2):
    document = new_document("test", {s: {"mpi": "openmpi", "arguments": [], "environment": {}} for s in ("vader", "mpich")}, {})
    for case, cells in (times or TIMES).items():
        for setup in dict.fromkeys(s for s, _ in cells):
            samples = [{"turn": turn, "name": name, "regime": regime, "round_trip_ns": 100, "median_us": us, "tenth_us": us,
                        "ninetieth_us": us, "rounds": 9, "init_us": 7.0, "start_us": 0.1, "wait_us": us - 0.1, "free_us": 1.0}
                       for turn in range(3) for (s, name), us in cells.items() if s == setup]
            document["reports"].append({"program": program, "library": "", "setup": setup, "ranks": ranks, "machine": {}, "distances": [],
                                        "ours": list(ours), "limits": sorted({n for _, n in cells if n.startswith("limit:")}),
                                        "cases": [{"case": case, "sizes": {"bytes": 8}, "samples": samples}]})
    return Results(document)


class Conclusions(unittest.TestCase):
    def test_the_best_form_of_all_set_ups_counts(self):
        found = {(c.case, c.ours): c for c in collectives.cells(results(), "near")}
        best = found[("allreduce 8 B", "own")].best
        self.assertEqual((best.setup, best.style), ("mpich", "persistent"))
        self.assertAlmostEqual(best.ratio, 1.5)

    def test_each_kind_of_memory_has_its_own_limits(self):
        found = {(c.case, c.ours): c for c in collectives.cells(results(), "near")}
        self.assertAlmostEqual(found[("allreduce 8 B", "own")].fraction, 0.6)
        self.assertAlmostEqual(found[("allreduce 4096 B", "own")].fraction, 0.9)
        self.assertAlmostEqual(found[("allreduce 4096 B", "shared")].fraction, 0.9)

    def test_a_crowd_has_no_limits(self):
        found = collectives.cells(results({"barrier": {("vader", "own"): 4, ("vader", "blocking"): 8}}, regime="unprobed", ranks=16), "unprobed")
        self.assertEqual([(c.case, c.ranks, c.fraction) for c in found], [("barrier", 16, None)])

    def test_the_parts_are_told_by_themselves(self):
        parts = collectives.steps(results(), "near")[(2, "allreduce 8 B")]
        self.assertEqual(parts["own"]["init"], 7)
        self.assertAlmostEqual(parts["persistent"]["wait"], 0.8)

    def test_what_is_hidden_is_told_where_it_was_measured(self):
        found = results()
        self.assertNotIn("Hidden", text(found))
        for report in found.reports:
            for s in report["cases"][0]["samples"]:
                s.update(overlap_compute=0.93, overlap_memory=0.81)
        said = text(found)
        self.assertIn("93%", said)
        self.assertIn("<td>81%</td>", page(found))

    def test_table_summary_and_page_tell_all_of_it(self):
        found = results()
        said = text(found)
        self.assertIn("mpich/persistent 600 ns", said)
        self.assertIn("geometric mean of 2 cases", said)
        self.assertTrue(any(b["style"] == "persistent" and b["of_limit"] for cell in summary(found) for b in cell["best"]))
        shown = page(found)
        self.assertIn("allreduce 4 KiB", shown)
        xml.fromstring(shown.replace("<!DOCTYPE html>\n", ""))

    def test_the_layer_is_compared_with_the_same_call_past_it(self):
        times = {"bcast 8 B": {("vader", "layer blocking"): 0.2, ("vader", "blocking"): 0.4, ("vader", "persistent"): 0.1}}
        found = results(times, collectives.LAYER, ("layer blocking",))
        self.assertIn("vader/blocking 400 ns", text(found))
        self.assertIn("2.00×", page(found))

    def test_persistent_ones_through_the_layer_meet_the_best_form_and_are_told_by_parts(self):
        times = {"bcast 8 B": {("vader", "layer persistent"): 0.2, ("vader", "blocking"): 0.4, ("vader", "nonblocking"): 0.6,
                               ("vader", "layer nonblocking"): 0.3, ("mpich", "persistent"): 0.3, ("mpich", "layer persistent"): 0.2}}
        found = results(times, collectives.LAYER, ("layer blocking", "layer nonblocking", "layer persistent"))
        best = {c.ours: c.best for c in collectives.cells(found, "near", collectives.LAYER)}
        self.assertEqual((best["layer persistent"].style, best["layer nonblocking"].style), ("persistent", "nonblocking"))
        self.assertAlmostEqual(best["layer persistent"].ratio, 1.5)
        self.assertRegex(text(found), r"bcast 8 B +layer persistent +7 µs")
        self.assertIn("layer persistent", page(found))


class Running(unittest.TestCase):
    def setUp(self):
        self.document = {"skipped": []}
        self.options = SimpleNamespace(quick=True, engine="inline", layer=False, prefix=None)
        self.machine = Machine(bin="/nowhere", build="", ctest="", mpirun={})

    def test_large_sizes_are_runs_of_their_own(self):
        found = collectives.runs(self.machine, SETUPS[:1], 2, ["bcast", "barrier"], [8, 1 << 20], self.options, self.document)
        self.assertEqual([r.label for r in found], ["bcast", "bcast", "barrier"])

    def test_who_spins_is_not_measured_in_a_crowd(self):
        found = collectives.runs(self.machine, SETUPS, 4096, ["bcast"], [8], self.options, self.document)
        self.assertTrue(all(not r.setup.startswith("mpich") for r in found))
        self.assertIn("mpich", [s["setup"] for s in self.document["skipped"]])
        self.assertTrue(any("unseen" in s["why"] for s in self.document["skipped"]))

    def test_set_ups_are_for_the_programs_that_they_change(self):
        self.assertIn("coll-sm", [s.name for s in setups_of("bench_collectives")])
        self.assertNotIn("coll-sm", [s.name for s in setups_of("bench_datatypes")])
        self.assertNotIn("vader-eager", [s.name for s in setups_of("bench_datatypes")])  # for who names it


if __name__ == "__main__":
    unittest.main()
