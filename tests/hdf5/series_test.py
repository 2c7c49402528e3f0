# SPDX-License-Identifier: Apache-2.0
"""series_test.py SODE WRITE_SERIES H5DUMP FOLDER: reads XDMF files as ParaView would: every step, its time, its grid, and every field in
the file that it is said to be in."""
import array
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ET

SODE, WRITER, H5DUMP = sys.argv[1:4]
FOLDER = pathlib.Path(sys.argv[4])
H5_TYPES = {("Float", "8"): "H5T_IEEE_F64LE", ("Float", "4"): "H5T_IEEE_F32LE", ("Int", "2"): "H5T_STD_I16LE"}
CODES = {("Float", "8"): "d", ("Float", "4"): "f", ("Int", "2"): "h"}


def numbers(text):
    return [float(word) for word in text.split()]


def dump(*options):
    return subprocess.run([H5DUMP, *options], check=True, capture_output=True, text=True).stdout


class Field:
    """An attribute, and the dataset that it points to."""

    def __init__(self, folder, attribute):
        item = attribute.find("DataItem")
        self.name = attribute.get("Name")
        self.place = (attribute.get("AttributeType"), attribute.get("Center"), item.get("Format"))
        self.extents = item.get("Dimensions")
        kind = (item.get("NumberType"), item.get("Precision"))
        file, dataset = item.text.split(":")
        header = dump("-H", "-d", dataset, str(folder / file))
        self.same_type = f"DATATYPE  {H5_TYPES[kind]}" in header
        self.same_extents = f"( {self.extents.replace(' ', ', ')} ) /" in header
        raw = folder / "raw"
        dump("-d", dataset, "-b", "LE", "-o", str(raw), str(folder / file))
        self.values = array.array(CODES[kind], raw.read_bytes())


class Series:
    def __init__(self, file):
        domain = ET.parse(file).getroot().find("Domain")
        self.collection = domain.find("Grid")
        self.grids = self.collection.findall("Grid")
        self.times = [float(g.find("Time").get("Value")) for g in self.grids]
        self.fields = [[Field(file.parent, a) for a in g.findall("Attribute")] for g in self.grids]


class SeriesTest(unittest.TestCase):
    def setUp(self):
        self.folder = FOLDER / self.id().split(".")[-1]
        subprocess.run(["rm", "-rf", str(self.folder)], check=True)

    def write(self, ranks, *arguments):
        # The folder of the series is not there: it is made.
        return subprocess.run([SODE, "run", "-n", str(ranks), WRITER, str(self.folder), *map(str, arguments)], capture_output=True,
                              text=True, timeout=50)

    def test_every_field_is_where_it_is_said_to_be(self):
        self.assertEqual(self.write(3, 0, 2).stderr, "")
        plane = Series(self.folder / "plane & <co>.xdmf")
        self.assertEqual((plane.collection.get("GridType"), plane.collection.get("CollectionType")), ("Collection", "Temporal"))
        self.assertEqual(plane.collection.get("Name"), "plane & <co>")
        self.assertEqual(plane.times, [0, 0.5, 1])
        for step, (grid, fields) in enumerate(zip(plane.grids, plane.fields)):
            topology, geometry = grid.find("Topology"), grid.find("Geometry")
            self.assertEqual((topology.get("TopologyType"), topology.get("Dimensions")), ("2DCoRectMesh", "5 7"))
            self.assertEqual(geometry.get("GeometryType"), "ORIGIN_DXDY")
            self.assertEqual([numbers(item.text) for item in geometry], [[-1, 0.5], [0.25, 2]])
            self.assertEqual([f.name for f in fields], ["n", "u"])
            for field in fields:
                self.assertEqual(field.place, ("Scalar", "Node", "HDF"))
                self.assertEqual(field.extents, "5 7")
                self.assertTrue(field.same_type and field.same_extents, field.name)
            self.assertEqual(list(fields[0].values), [i - j for i in range(5) for j in range(7)])
            self.assertEqual(list(fields[1].values), [1000 * step + k for k in range(35)])

        solid = Series(self.folder / "solid.xdmf")
        self.assertEqual(len(solid.grids), 3)
        self.assertEqual(solid.grids[0].find("Topology").get("TopologyType"), "3DCoRectMesh")
        self.assertEqual(solid.grids[0].find("Geometry").get("GeometryType"), "ORIGIN_DXDYDZ")
        self.assertEqual([numbers(item.text) for item in solid.grids[0].find("Geometry")], [[0, 0, 0], [1, 1, 1]])
        self.assertEqual([f.name for f in solid.fields[0]], ["v/0", "v/1", "v/2"])
        for c, field in enumerate(solid.fields[0]):
            self.assertTrue(field.same_type and field.same_extents)
            self.assertEqual(list(field.values), [100 * c + k for k in range(72)])

    def test_goes_on_where_another_run_left_off(self):
        self.write(2, 0, 4)
        self.write(3, 4, 5, "--after", 3)  # the earlier run had written a step 4 of its own
        self.assertEqual(Series(self.folder / "solid.xdmf").times, [0, 0.5, 1, 1.5, 2, 2.5])

    def test_begins_anew_unless_told(self):
        self.write(1, 0, 2)
        self.write(2, 7, 8)
        self.assertEqual(Series(self.folder / "solid.xdmf").times, [3.5, 4])
        self.assertEqual(len(list(self.folder.glob("solid-*.h5"))), 5, "files of the earlier run stay")

    def test_a_broken_file_of_an_earlier_run_is_an_error_on_every_rank(self):
        self.write(1, 0, 2)
        (self.folder / "solid-000001.h5").write_bytes(b"no HDF5")
        ended = self.write(2, 3, 4, "--after", 2)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("solid-000001.h5", ended.stderr)
        self.assertTrue(re.search("check that the file exists and is an HDF5 file", ended.stderr))

    def test_a_rank_that_dies_takes_no_file_with_it(self):
        ended = self.write(3, 0, 9, "--dies", 3)
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("rank 1", ended.stderr)
        for name in ("plane & <co>", "solid"):
            series = Series(self.folder / f"{name}.xdmf")
            self.assertEqual(series.times, [0, 0.5, 1])
            self.assertTrue(all(field.same_extents for fields in series.fields for field in fields))
            self.assertFalse((self.folder / f"{name}-000003.h5").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
