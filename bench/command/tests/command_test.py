# SPDX-License-Identifier: Apache-2.0
import contextlib
import io
import json
import os
import re
import statistics
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "bars")]
from sode_bars.machine import Machine  # noqa: E402
from sode_bench import halo, names, stencil  # noqa: E402
from sode_bench.main import main  # noqa: E402
from sode_bench.page import scaling, timeline  # noqa: E402
from sode_bench.page.document import page  # noqa: E402
from sode_bench.page.svg import Linear, Log  # noqa: E402
from sode_bench.results import Results, load  # noqa: E402
from sode_bench.runs import Progress, Run, reason, run_all  # noqa: E402
from sode_bench.summary import summary  # noqa: E402
from sode_bench.table import text, verdict  # noqa: E402

STORED = os.path.join(HERE, "results.json")
TRACE = os.path.join(HERE, "trace.json")
NOTHING = Machine("/nowhere", "/nowhere", "ctest", {})


def parsed(html):
    """The page as XML: fails where it is not well-formed."""
    doctype = "<!DOCTYPE html>\n"
    assert html.startswith(doctype)
    return xml.fromstring(html[len(doctype):])


def words_of(element):
    return " ".join(" ".join(element.itertext()).split())


def command(*arguments):
    """(exit status, what it printed, what it complained)"""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(NOTHING, list(arguments))
    return status, out.getvalue(), err.getvalue()


class Page(unittest.TestCase):
    def setUp(self):
        self.results = Results(load(STORED))
        with open(TRACE, encoding="utf-8") as file:
            self.trace = json.load(file)
        self.html = page(self.results, self.trace)

    def test_is_well_formed_and_has_all_cases(self):
        words = words_of(parsed(self.html))
        self.assertGreater(len(self.results.cases("halo")), 5)
        for _, case in self.results.cases("halo"):
            self.assertIn(names.case_label(case), words)
            self.assertIn(case, words)
        for case in ("laplace 1024", "laplace 1024 weak"):
            self.assertIn(f"{case}: time of a step", words)
        self.assertIn("a <made up> & long reason", words)
        self.assertIn("--mca btl_vader_single_copy_mechanism none", words)

    def test_needs_nothing_from_elsewhere(self):
        self.assertNotRegex(self.html, r"(?i)https?://|<script|<link|<img|@import|url\(")

    def test_every_chart_has_one_drawing_a_case(self):
        drawings = [s.get("aria-label") for s in parsed(self.html).iter("svg")]
        self.assertEqual(len(set(drawings)), len(drawings))
        for label in ("best rival / ours, near", "time over size, 3-D, x faces", "samples of 64³, x faces", "scaling of laplace 1024",
                      "timeline of halo of <u>"):
            self.assertIn(label, drawings)

    def test_no_label_leaves_its_drawing(self):
        for drawing in parsed(self.html).iter("svg"):
            width, height = (float(n) for n in drawing.get("viewBox").split()[2:])
            for t in drawing.iter("text"):
                room = len(t.text or "") * (11 if "small" in t.get("class") else 12) * 0.5
                begin = float(t.get("x")) - {"start": 0, "middle": room / 2, "end": room}[t.get("text-anchor")]
                self.assertGreaterEqual(begin, -1, (drawing.get("aria-label"), t.text))
                self.assertLessEqual(begin + room, width + 1, (drawing.get("aria-label"), t.text))
                self.assertLessEqual(float(t.get("y")), height, (drawing.get("aria-label"), t.text))

    def test_a_regime_that_was_not_seen_is_not_drawn(self):
        self.assertEqual(self.results.regimes("halo"), ["near"])
        self.assertNotIn("best rival / ours, far", self.html)

    def test_summary_holds_medians_intervals_and_the_reference(self):
        cells = {(c["program"], c["ranks"], c["case"]): c for c in summary(self.results)}
        self.assertEqual(len(cells), len(self.results.order))
        cell = cells[("halo", 2, "3d64_x")]
        self.assertEqual(cell["sizes"]["bytes"], 32768)
        self.assertEqual({m["method"] for m in cell["methods"]}, {"array", "buffered", "packed-isend", "window-messages"})
        for m in cell["methods"]:
            self.assertEqual(m["median_us"], statistics.median(self.results.times("halo", 2, "3d64_x", "near")[(m["setup"], m["method"])]))
        best = {(b["ours"], b["kind"]): b for b in cell["best"]}
        self.assertEqual(len(best), 4)
        messages = best[("array", "messages")]
        self.assertEqual((messages["style"], messages["reference"]), ("packed-isend", [2.09, 2.12]))
        self.assertTrue(messages["interval"][0] <= messages["ratio"] <= messages["interval"][1])
        self.assertEqual({b["style"] for b in cells[("hybrid", 2, "laplace 1024")]["best"]}, {"mpi", "mpi-overlap", "openmp"})
        json.dumps(list(cells.values()))

    def test_table_names_each_case_once(self):
        table = text(self.results)
        for _, case in self.results.cases("halo"):
            self.assertEqual(len(re.findall(f"^{re.escape(names.case_label(case))} ", table, re.MULTILINE)), 1)
        self.assertIn("not measured: ucx 3d64_x", table)


class Timeline(unittest.TestCase):
    def test_draws_the_exchange_that_most_time_went_into_where_all_ranks_took_part(self):
        with open(TRACE, encoding="utf-8") as file:
            trace = json.load(file)
        slices, instants, _, _ = timeline.read(trace)
        self.assertEqual(timeline.typical(slices), ("halo of <u>", 1, 10.0, 15.0))
        self.assertEqual(len(instants), 1)
        picture, about, listed = timeline.chart(trace)
        words = words_of(xml.fromstring(picture))
        for told in ("rank 0", "rank 1", "pull from rank 0", "has waited long for rank 1", "rank 1 + .: 4 KiB by direct"):
            self.assertIn(told, words)
        self.assertNotIn("short", words)
        self.assertIn("epoch 1", about)
        self.assertEqual(listed[1], ("rank 0", "wait for rank 1", "500 ns", "1.5 µs", ""))
        self.assertEqual(listed[2], ("rank 0", "pull from rank 1", "2 µs", "3 µs", "4 KiB; rank 1 + .: 4 KiB by direct"))

    def test_slices_without_categories(self):
        slices = [{"name": n, "ph": "X", "ts": t, "dur": d, "pid": 1, "tid": 1} for n, t, d in (("a", 0, 9), ("b", 1, 2), ("c", 3, 2))]
        read = timeline.read(slices)[0]
        self.assertEqual([s["name"] for s in timeline.outermost(read)], ["a"])
        self.assertEqual([(s["name"], depth) for s, depth in timeline.depths(read)], [("a", 0), ("b", 1), ("c", 1)])

    def test_says_when_there_is_nothing_to_draw(self):
        for trace in ({}, {"traceEvents": []}, "text"):
            with self.assertRaises(timeline.NoTimeline):
                timeline.chart(trace)
        self.assertIn("Nothing to draw", page(Results(load(STORED)), {"traceEvents": []}))


class Scaling(unittest.TestCase):
    def test_best_set_up_of_each_method(self):
        def report(setup, ranks, times):
            return {"program": "hybrid", "ranks": ranks, "setup": setup, "ours": ["sode"], "cases": [
                {"case": "p", "samples": [{"turn": 0, "name": n, "regime": "unprobed", "median_us": us} for n, us in times.items()]}]}
        results = Results({"reports": [report("a", 1, {"sode": 8, "mpi": 8}), report("a", 4, {"sode": 2, "mpi": 5}),
                                       report("b", 4, {"sode": 2, "mpi": 4})]})
        found = scaling.times(results, "p")
        self.assertEqual(found[(4, "mpi")][:2], (4, "b"))
        self.assertEqual(scaling.efficiency(found, 4, "sode"), 4)

    def test_ranks_go_up_to_the_cores(self):
        self.assertEqual(stencil.rank_counts(1), [1])
        self.assertEqual(stencil.rank_counts(6), [1, 2, 4, 6])
        self.assertEqual(stencil.rank_counts(16), [1, 2, 4, 8, 16])
        self.assertGreaterEqual(stencil.rank_counts()[-1], 2)


class Command(unittest.TestCase):
    def test_says_that_no_benchmark_is_built(self):
        for what, program in (("halo", "bench_halo"), ("stencil", "bench_hybrid")):
            status, out, err = command(what)
            self.assertEqual((status, out), (1, ""))
            self.assertIn(f"/nowhere/{program}_*", err)
            self.assertIn("cmake --build --preset release", err)

    def test_page_of_stored_results(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            status, out, err = command("page", STORED, STORED, "--trace", TRACE, "--html", path)
            self.assertEqual((status, err), (0, ""))
            self.assertIn(path, out)
            with open(path, encoding="utf-8") as file:
                parsed(file.read())

    def test_refuses_files_that_are_no_results(self):
        for wrong, complaint in (("/nowhere/x.json", "cannot read"), (TRACE, "is no result"), (__file__, "cannot read")):
            status, _, err = command("page", wrong)
            self.assertEqual(status, 1)
            self.assertIn(complaint, err)
        self.assertEqual(command("page", STORED, "--trace", __file__, "--html", "/nowhere/x")[0], 1)
        self.assertIn("cannot write", command("page", STORED, "--html", "/nowhere/x.html")[2])

    def test_refuses_cases_that_cannot_be_read(self):
        for good in ("3d64_x", "3d16_h3_f8_y_per", "2d1024_122", "3d8_z_per_f2"):
            self.assertTrue(halo.CASE.fullmatch(good), good)
        for bad in ("3d64", "4d8_x", "3d64_w", "3d0_x", "3d64_x_", "3d64_h0_x"):
            self.assertFalse(halo.CASE.fullmatch(bad), bad)


class Runs(unittest.TestCase):
    def test_a_run_that_fails_is_told_and_not_repeated(self):
        good = Run("good", "s", [sys.executable, "-c", "import sys; open(sys.argv[-1], 'w').write('{\"fine\": 1}')"], {})
        bad = Run("bad", "s", [sys.executable, "-c", "import sys; print('bench_x, rank 1: broken'); print('noise'); sys.exit(3)"], {})
        slow = Run("slow", "s", [sys.executable, "-c", "import time; time.sleep(60)"], {}, limit_s=0.2)
        document = {"reports": [], "skipped": []}
        run_all([good, bad, slow], document, 0.5, Progress(True))
        self.assertGreater(len(document["reports"]), 0)
        self.assertEqual(document["reports"][0], {"fine": 1})
        self.assertEqual([(s["what"], s["why"]) for s in document["skipped"]],
                         [("bad", "exit status 3: bench_x, rank 1: broken"), ("slow", "no end after 0.2 s")])

    def test_reasons(self):
        self.assertEqual(reason("----\nmpirun says\n\nmuch\nmore\n"), "mpirun says / much / more")
        self.assertEqual(reason("MPI_ABORT was invoked\nsode: no such profile\nmuch\nmore\nand more\n"), "sode: no such profile")


class Small(unittest.TestCase):
    def test_labels(self):
        self.assertEqual(names.case_label("3d64_h3_f8_y_per"), "64³, y faces, halo 3, 8 fields, periodic")
        self.assertEqual(names.case_label("2d8192_z"), "8192², z faces")
        self.assertEqual(names.case_label("2d32_122"), "32², ranks 2×2")
        self.assertEqual(names.case_label("3d16_422"), "16³, ranks 4×2×2")
        self.assertEqual(names.family_label("2d_x"), "2-D, x faces")
        self.assertEqual([names.time_text(t) for t in (0.0712, 1, 12.345, 2500)], ["71.2 ns", "1 µs", "12.3 µs", "2.5 ms"])

    def test_verdicts(self):
        self.assertEqual([verdict(r, [2.0, 2.2]) for r in (2.21, 2.2, 1.7, 1.69)], ["beaten", "reached", "reached", "short"])

    def test_balanced(self):
        self.assertEqual([halo.balanced(n) for n in (2, 4, 6, 8, 16, 12)],
                         [(2, 1, 1), (2, 2, 1), (3, 2, 1), (2, 2, 2), (4, 2, 2), (3, 2, 2)])

    def test_axes(self):
        self.assertEqual(Linear(0, 4.3, 0, 1).ticks(6), [0, 1, 2, 3, 4])
        self.assertEqual(Log(30, 700, 0, 1).ticks(), [50, 100, 200, 500])
        self.assertTrue(Log(5, 5, 0, 1).ticks())


if __name__ == "__main__":
    unittest.main()
