# SPDX-License-Identifier: Apache-2.0
"""`sode bench datatypes`, without any MPI: what samples come to, how jobs fail, and how programs come under Sode."""
import os
import stat
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "bars")]
from sode_bars.machine import Machine  # noqa: E402
from sode_bench import datatypes, layers, messages  # noqa: E402
from sode_bench.jobs import Job, JobFailed  # noqa: E402
from sode_bench.page.document import page  # noqa: E402
from sode_bench.results import Results, new_document  # noqa: E402
from sode_bench.summary import summary  # noqa: E402
from sode_bench.table import text  # noqa: E402

# Microseconds of a ping-pong by (set-up, method).
TIMES = {
    "nas_mg_x_32768": {("vader", "datatypes"): 40, ("vader", "packing"): 20, ("ucx", "datatypes"): 30, ("ucx", "packing"): 24,
                       ("vader", "sode vader"): 10, ("ucx", "sode ucx"): 15},
    "nas_mg_x_131072": {("vader", "datatypes"): 160, ("vader", "packing"): 80, ("ucx", "datatypes"): 180, ("ucx", "packing"): 90,
                        ("vader", "sode vader"): 20, ("ucx", "sode ucx"): 10},
    "nas_lu_y_480": {("vader", "datatypes"): 0.5, ("vader", "packing"): 0.4, ("vader", "sode vader"): 0.56},
    "contiguous_8": {("vader", "bytes"): 0.2, ("vader", "sode vader"): 0.22},
}


def results(times=None, program=datatypes.PROGRAM, regime="near"):
    document = new_document("test", {s: {"mpi": "openmpi", "arguments": [], "environment": {}} for s in ("vader", "ucx")}, {})
    for case, cells in (times or TIMES).items():
        samples = [{"turn": turn, "setup": setup, "name": name, "regime": regime, "round_trip_ns": 100, "median_us": us, "tenth_us": us,
                    "ninetieth_us": us, "rounds": 9} for turn in range(3) for (setup, name), us in cells.items()]
        document["reports"].append({"program": program, "library": "", "setup": "", "ranks": 2, "machine": {}, "distances": [],
                                    "ours": sorted({name for _, name in cells if name.startswith("sode")}),
                                    "cases": [{"case": case, "sizes": {"bytes": int(case.rsplit("_", 1)[1])}, "samples": samples}]})
    document["layer"] = {"way": "task", "words": "sode task"}
    return Results(document)


class Conclusions(unittest.TestCase):
    def test_the_best_rival_of_all_set_ups_counts(self):
        found = results()
        best = messages.compared(found, datatypes.PROGRAM, "nas_mg_x_32768", "near", "sode vader", "datatypes")
        self.assertEqual((best.setup, best.ratio, best.pairs), ("ucx", 3, 3))
        best = messages.compared(found, datatypes.PROGRAM, "nas_mg_x_131072", "near", "sode vader", "packing")
        self.assertEqual((best.setup, best.ratio), ("vader", 4))

    def test_one_set_up_of_ours_is_told_of_for_all_cases(self):
        found = results()
        # sode vader: 3 and 8; sode ucx: 2 and 16.
        self.assertEqual(messages.headline(found, datatypes.PROGRAM, "near"), "sode ucx")
        mean, count = messages.means(found, datatypes.PROGRAM, "near", "sode ucx")["datatypes"]
        self.assertEqual(count, 2)
        self.assertAlmostEqual(mean, 32**0.5)

    def test_the_papers_numbers_stand_beside_the_same_settings(self):
        cells = {**TIMES["nas_mg_x_32768"], ("vader-frag-16", "datatypes"): 8, ("vader-eager", "datatypes"): 30}
        said = text(results({"nas_mg_x_32768": cells}))
        self.assertRegex(said, r"nas_mg_x_32768 +0\.77 to 0\.83; eager 1\.1 to 5 +4\.00 +3\.00 +0\.80")
        self.assertNotIn("paper", text(results()))

    def test_blocks_of_another_regime_are_not_compared(self):
        document = results().document
        for sample in document["reports"][0]["cases"][0]["samples"]:
            if sample["name"] == "datatypes":
                sample["regime"] = "far"
        found = Results(document)
        self.assertIsNone(messages.compared(found, datatypes.PROGRAM, "nas_mg_x_32768", "near", "sode vader", "datatypes"))

    def test_short_messages_are_told_as_costs_in_the_same_set_up(self):
        found = results()
        self.assertFalse(messages.is_pattern("nas_lu_y_480"))
        (setup, ns, _, pairs), = messages.costs(found, "nas_lu_y_480", "near")
        self.assertEqual((setup, round(ns, 6), pairs), ("vader", 30, 3))
        (setup, ns, _, _), = messages.costs(found, "contiguous_8", "near")
        self.assertEqual((setup, round(ns, 6)), ("vader", 10))

    def test_first_uses_are_told_as_a_share_of_the_best_mpi(self):
        found = results({"nas_mg_x_32768": {("vader", "datatypes"): 100, ("ucx", "datatypes"): 80, ("vader", "sode vader"): 120}},
                        datatypes.FIRST)
        self.assertEqual(messages.first_uses(found, "nas_mg_x_32768", "near", "sode vader"), (1.5, 120, "ucx"))

    def test_table_page_and_summary_tell_everything(self):
        found = results()
        table = text(found)
        self.assertRegex(table, r"nas_mg_x_32768 +15 µs +ucx 30 µs +2\.00 +vader 20 µs +1\.33")
        self.assertIn("geometric mean of 2 cases: 5.66 × MPI's datatypes", table)
        self.assertRegex(table, r"nas_lu_y_480 +vader +30\.0 ")
        html = page(found)
        drawings = [d.get("aria-label") for d in xml.fromstring(html[len("<!DOCTYPE html>\n"):]).iter("svg")]
        self.assertIn("datatypes, datatypes, near", drawings)
        self.assertIn("time over size, nas_mg_x, near", drawings)
        self.assertIn("5.66×", html)
        self.assertIn("<code>sode task</code>", html)
        cell = next(c for c in summary(found) if c["case"] == "nas_mg_x_32768")
        self.assertIn(("sode vader", "datatypes", 3), {(b["ours"], b["kind"], b["ratio"]) for b in cell["best"]})

    def test_no_label_leaves_its_drawing(self):
        names = ("wrf_y_vec_1228800", "lammps_atomic_104976", "specfem_mt_364800", "nas_mg_x_2097152", "milc_su3_zd_393216", "fft2d_18874368")
        cells = TIMES["nas_mg_x_32768"]
        html = page(results({name: {k: us * (i + 1) * 31 for k, us in cells.items()} for i, name in enumerate(names)}))
        drawings = list(xml.fromstring(html[len("<!DOCTYPE html>\n"):]).iter("svg"))
        self.assertTrue(drawings)
        for drawing in drawings:
            width = float(drawing.get("viewBox").split()[2])
            for t in drawing.iter("text"):
                room = len(t.text or "") * (11 if "small" in t.get("class") else 12) * 0.5
                begin = float(t.get("x")) - {"start": 0, "middle": room / 2, "end": room}[t.get("text-anchor")]
                self.assertGreaterEqual(begin, -1, (drawing.get("aria-label"), t.text))
                self.assertLessEqual(begin + room, width + 1, (drawing.get("aria-label"), t.text))

    def test_applications_are_told_apart(self):
        cells = {("vader", "datatypes"): 300, ("vader", "packing"): 250, ("vader", "sode vader"): 200}
        found = results({**TIMES, "app_fft2d_4194304": cells})
        for sample in found.document["reports"][-1]["cases"][0]["samples"]:
            sample["communication"] = 0.25
        self.assertEqual(messages.means(found, datatypes.PROGRAM, "near", "sode vader")["datatypes"][1], 2)
        (case, told), = messages.application_rows(found, "near", "sode vader")
        self.assertEqual(told[0], ("sode vader", 200, 0.25, None))
        self.assertEqual(told[1], ("vader datatypes", 300, 0.25, 1.5))
        self.assertIn("vader packing 250 µs (25 % communication)", text(found))
        self.assertIn("Applications that compute", page(found))

    def test_without_the_layer_the_rivals_are_told(self):
        plain = {case: {k: us for k, us in cells.items() if not k[1].startswith("sode")} for case, cells in TIMES.items()}
        table = text(results(plain))
        self.assertIn("Sode's layer was not measured", table)
        self.assertRegex(table, r"nas_mg_x_32768 +ucx 30 µs +vader 20 µs")


class Jobs(unittest.TestCase):
    def job(self, script):
        return Job(["sh", "-c", script, "job"], {})

    def test_answers(self):
        # $1 is --orders
        job = self.job('exec <"$2" >"$4"; echo "{\\"cases\\": []}"; while read -r line && [ "$line" != end ]; do echo "\\"$line\\""; done')
        self.assertEqual(job.hello, {"cases": []})
        self.assertEqual(job.ask("block datatypes"), "block datatypes")
        folder = job.folder
        job.end()
        self.assertFalse(os.path.exists(folder))

    def test_one_that_dies_is_told_with_what_it_said(self):
        with self.assertRaisesRegex(JobFailed, "exit status 3: no MPI today"):
            self.job("echo no MPI today; exit 3")

    def test_one_that_does_not_exist(self):
        with self.assertRaises(JobFailed):
            Job(["/nowhere/mpirun"], {})

    def test_one_that_is_silent_is_not_awaited_for_ever(self):
        job = self.job('echo 1 >"$4"; sleep 30')
        try:
            with self.assertRaisesRegex(JobFailed, "no answer"):
                job.ask("block datatypes", limit_s=0.3)
        finally:
            job.process.kill()
            job.end()


class Layers(unittest.TestCase):
    def test_without_a_library_there_is_no_layer(self):
        with tempfile.TemporaryDirectory() as folder:
            machine = Machine(os.path.join(folder, "bin"), folder, "ctest", {})
            self.assertIsNone(layers.prefix(machine, "openmpi"))
            self.assertEqual(layers.prefix(machine, "openmpi", words="env A=B"), ("chosen", ["env", "A=B"]))

    def test_tasks_where_they_work_and_preloading_elsewhere(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "bin"))
            os.makedirs(os.path.join(folder, "lib", "sode"))
            lib = os.path.join(folder, "lib", "sode", "libsode-interpose-mpich.so")
            open(lib, "w", encoding="utf-8").close()
            machine = Machine(os.path.join(folder, "bin"), folder, "ctest", {}, os.path.dirname(lib))
            self.assertEqual(layers.prefix(machine, "mpich"), ("preload", ["env", f"LD_PRELOAD={lib}"]))
            self.assertIsNone(layers.prefix(machine, "mpich", "none"))
            sode = os.path.join(folder, "bin", "sode")
            for status, way in ((0, "task"), (1, "preload")):
                with open(sode, "w", encoding="utf-8") as file:
                    file.write(f"#!/bin/sh\nexit {status}\n")
                os.chmod(sode, stat.S_IRWXU)
                self.assertEqual(layers.prefix(machine, "mpich")[0], way)
            self.assertEqual(layers.prefix(machine, "mpich", "task")[1][-2:], [sode, "task"])


class Cases(unittest.TestCase):
    def test_by_name_by_family_and_by_expression(self):
        known = ["nas_mg_x_2048", "nas_mg_x_32768", "nas_mg_y_2048", "contiguous_8"]
        self.assertEqual(datatypes.chosen_cases(known, ["nas_mg_x"], False), known[:2])
        self.assertEqual(datatypes.chosen_cases(known, ["contiguous_8", ".*_2048"], False), [known[0], known[2], known[3]])
        self.assertEqual(datatypes.chosen_cases(known, None, True), ["nas_mg_x_32768", "contiguous_8"])


if __name__ == "__main__":
    unittest.main()
