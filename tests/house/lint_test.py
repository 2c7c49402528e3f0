# SPDX-License-Identifier: Apache-2.0
"""Plants mistakes into a small tree that obeys every rule, and expects the right rule to find each of them."""
import importlib
import json
import pathlib
import tempfile
import unittest

from tree import Tree

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
HASH_SPDX = "# SPDX-License-Identifier: Apache-2.0\n"
PROGRAM = "int main() { return 0; }\n"
GOOD = {
    "CMakeLists.txt": HASH_SPDX + "find_package(fmt REQUIRED)\noption(SODE_WERROR \"\" ON)\n",
    "README.md": f"See [the list](docs/environment.md).\n```cpp\n{PROGRAM}```\n",
    "docs/environment.md": "| `SODE_TIMEOUT` | seconds |\n",
    "examples/first.cpp": SPDX + PROGRAM,
    "include/sode/error.hpp": SPDX,
    "include/sode/grid.hpp": SPDX + "#include <sode/error.hpp>\n",
    "scripts/packages.txt": "[build]\nlibfmt-dev # text\n",
    "src/CMakeLists.txt": HASH_SPDX + "sode_floor(base)\nsode_floor(plan)\nsode_floor(channel)\nsode_floor(array)\n",
    "src/array/halo.cpp": SPDX + '#include "channel/direct/pull.hpp"\n#include <sode/grid.hpp>\n',
    "src/base/config.cpp": SPDX + '#include <sode/error.hpp>\nentry{{"SODE_TIMEOUT", "seconds"}}\n',
    "src/channel/direct/pull.hpp": SPDX + '#include "plan/plan.hpp"\n',
    "src/plan/plan.hpp": SPDX + '#include "base/config.hpp"\n#include "plan/proof/clock.hpp"\n',
}
# Ten lines in every top folder and floor.
for folder in ("docs", "examples", "include", "scripts", "src", "src/array", "src/base", "src/channel", "src/plan", "tests"):
    GOOD[f"{folder}/README.md"] = "# What it is\n"
GOOD["tests/plan/plan_test.cpp"] = SPDX + "// What a plan is, and what it refuses.\n"


class Rules(unittest.TestCase):
    def found(self, rule, planted):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD, **planted}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return importlib.import_module(f"rule_{rule}").findings(Tree(folder))

    def expect(self, rule, words, planted):
        found = self.found(rule, planted)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_good_tree_obeys_every_rule(self):
        for rule in ("decisions", "floors", "license", "links", "names", "numbers", "packages", "programs", "readme", "reproduced", "results", "rooms", "settings", "sizes", "voice", "words"):
            self.assertEqual(self.found(rule, {}), [], rule)

    def test_decisions(self):
        page = {"docs/decisions/0007-files.md": "# 7. Files of arrays\n"}
        listed = {"docs/decisions/README.md": "# Decisions\n\n- 7: [Files of arrays](0007-files.md)\n"}
        self.assertEqual(self.found("decisions", {**page, **listed}), [])
        self.expect("decisions", "0007-files.md is missing", {**page, "docs/decisions/README.md": "# Decisions\n"})
        self.expect("decisions", "is called otherwise", {**listed, "docs/decisions/0007-files.md": "# 7. Files\n"})
        self.expect("decisions", "not with its number", {**listed, "docs/decisions/0007-files.md": "# 8. Files of arrays\n"})
        twice = {"docs/decisions/README.md": listed["docs/decisions/README.md"] + "- 7: [Files of arrays](0007-files.md)\n"}
        self.expect("decisions", "is there twice", {**page, **twice})

    def test_floors(self):
        def include(name, line):
            return {name: SPDX + f"#include {line}\n"}

        self.expect("floors", "channel is a higher floor", include("src/plan/up.cpp", '"channel/edge.hpp"'))
        self.expect("floors", "face of a higher floor", include("src/plan/face.cpp", "<sode/grid.hpp>"))
        self.expect("floors", "private to src/plan", include("src/array/drawer.cpp", '"plan/proof/clock.hpp"'))
        self.expect("floors", "sibling direct", include("src/channel/reference/a.cpp", '"channel/direct/pull.hpp"'))
        self.expect("floors", "public header includes a private one", include("include/sode/loop.hpp", '"plan/plan.hpp"'))
        self.expect("floors", "as users do", include("examples/clever.cpp", '"plan/plan.hpp"'))
        self.expect("floors", "is no floor", include("src/attic/old.cpp", '"plan/plan.hpp"'))

    def test_walls_beside_the_floors(self):
        def include(name, line):
            room = {f"{name.split('/')[0]}/README.md": "# What it is\n"}
            return {name: SPDX + f"#include {line}\n", **room}

        self.expect("floors", "uses the floors up to base", include("plugins/mpi.cpp", '"plan/plan.hpp"'))
        self.expect("floors", "has nothing to do with tools/", include("hdf5/read.cpp", '"tools/launch/outcome.hpp"'))
        self.expect("floors", "private to src/plan", include("tools/plan.cpp", '"plan/proof/clock.hpp"'))
        self.expect("floors", "requests is a later room", include("interpose/calls/next.cpp", '"interpose/requests/layer.hpp"'))
        self.expect("floors", "loops is a later room", include("compiler/unit/unit.cpp", '"compiler/loops/loop_writer.hpp"'))
        self.expect("floors", "compiler/ uses no floor", include("compiler/main.cpp", '"plan/plan.hpp"'))
        self.assertEqual(self.found("floors", include("tools/debug/tasks.cpp", '"tasks/root/packet.hpp"')), [])

    def test_reproduced(self):
        row = {"figure": "Fig. 1", "what": "1 KiB", "paper": "17 us", "predicted": "12 us", "command": "sode plan", "finds": ["12 us"]}

        def tree(change=(), edit=lambda text: text):
            name, page = "docs/reproduced/p3.json", "docs/reproduced.md"
            files = {page: "<!-- reproduced: p3 -->\n<!-- end -->\n",
                     name: json.dumps({"title": "P3", "machine": "FX100", "rows": [{**row, **dict(change)}]})}
            files.update(importlib.import_module("reproduced").files([name], files.__getitem__))
            return {**files, page: edit(files[page])}

        importlib.import_module("rule_reproduced")  # finds scripts/pages
        self.assertEqual(self.found("reproduced", tree()), [])
        self.expect("reproduced", "docs/reproduced.md: does not show", tree((), lambda text: text.replace("12 us", "17 us")))
        self.expect("reproduced", "does not say why", tree([("predicted", None)]))
        self.expect("reproduced", "no command", tree([("command", None)]))
        self.expect("reproduced", "nothing that a test could find", tree([("finds", [])]))
        self.expect("reproduced", "does not say where and when", tree([("measured", "13 us")]))

    def test_rooms(self):
        self.expect("rooms", "tools/README.md: is missing", {"tools/main.cpp": SPDX})
        self.expect("rooms", "src/model/README.md: is missing", {"src/CMakeLists.txt": GOOD["src/CMakeLists.txt"] + "sode_floor(model)\n"})
        self.expect("rooms", "are a document", {"src/plan/README.md": "line\n" * 30})
        self.expect("rooms", "does not say what it proves", {"tests/plan/b_test.cpp": SPDX + "#include <gtest/gtest.h>\n"})

    def test_launchers(self):
        self.expect("launchers", "CMakeLists.txt:2: starts a program", {
            "tests/CMakeLists.txt": HASH_SPDX + "add_test(NAME a COMMAND ${SODE_MPIRUN_${mpi}} -n 2 a)\n"})
        self.assertEqual(self.found("launchers", {"tests/CMakeLists.txt": HASH_SPDX + 'set(d MPIRUN="${SODE_MPIRUN_mpich}")\n'
                                                  "add_test(NAME a COMMAND ${SODE_LAUNCH_mpich} -n 2 a)\n"}), [])

    def test_license(self):
        self.expect("license", "src/plan/bare.cpp", {"src/plan/bare.cpp": "int x;\n"})
        self.expect("license", "scripts/go", {"scripts/go": "#!/bin/sh\n"})

    def test_links(self):
        self.expect("links", "links to gone.md", {"docs/page.md": "[a](environment.md) [b](https://e.org) [c](gone.md)\n"})
        page = "# A page\n## `sode run`, twice\n## Twice\n## Twice\n"
        self.assertEqual(self.found("links", {"docs/page.md": page + "[a](#a-page) [b](#sode-run-twice) [c](page.md#twice-1)\n"}), [])
        self.expect("links", "has no such heading", {"docs/page.md": page + "[a](#sode-run)\n"})

    def test_names(self):
        def opens(space, body, name="src/plan/way.hpp"):
            return {name: SPDX + f"namespace {space} {{\n{body}\n}} // namespace {space}\n"}

        face = {"include/sode/grid.hpp": SPDX + "namespace sode {\nnamespace internal {\nclass way;\n}\nclass grid;\n"
                                                "namespace detail {\nstruct job;\n}\n} // namespace sode\n"}
        for good in (opens("sode::internal", "class way {\n    int x;\n};"), opens("sode", "class grid;"),
                     opens("sode::internal::proof", "int f();"), opens("sode", "struct grid::impl {\n    int x;\n};"),
                     opens("sode::detail", "using namespace internal;\n\nstruct job {\n    int x;\n};"),
                     opens("sode", "int f() { return 1; }", "src/plan/way.cpp")):
            self.assertEqual(self.found("names", {**face, **good}), [])
        self.expect("names", "not for `class way {`", {**face, **opens("sode", "class way {\n    int x;\n};\nclass grid;")})
        self.expect("names", "not for `int f();`", {**face, **opens("sode", "/// Brief; more.\nint f();")})
        self.expect("names", "not for `struct place;`", {**face, **opens("sode::detail", "struct place;")})
        self.expect("names", "sode::proof is in reach", opens("sode::proof", "int x;", "tests/plan/clock.cpp"))
        self.expect("names", "defines nothing", opens("sode", "int x;", "tests/plan/clock.cpp"))
        self.expect("names", "reaches whoever includes", opens("sode::internal", "using namespace std;"))
        self.expect("names", "only declares classes", opens("sode::internal", "class way;\nint f();", "include/sode/way.hpp"))

    def test_numbers(self):
        origins = {"docs/wait.md": {"30 s": {"src/base/wait.hpp": "warn_s = 30;"}}}

        def tree(page="After 30 s, a warning.\n```sh\nsleep 7 s\n```\n", code="double warn_s = 30;\n", origins=origins):
            return {"docs/wait.md": page, "src/base/wait.hpp": SPDX + code, "docs/numbers.json": json.dumps(origins)}

        self.assertEqual(self.found("numbers", tree()), [])
        self.assertEqual(self.found("numbers", tree("After 30 s.\n<!-- table: x -->\n7 s\n<!-- end -->\n")), [])
        self.expect("numbers", "docs/wait.md: \"40 s\" comes from nowhere", tree("After 30 s, or 40 s, a warning.\n"))
        self.expect("numbers", "docs/wait.md does not state \"30 s\"", tree("After a while, a warning.\n"))
        self.expect("numbers", "which does not say \"warn_s = 30;\"", tree(code="double warn_s = 60;\n"))
        self.expect("numbers", "comes from nowhere", {"docs/limits.md": "At most 7 KiB.\n"})
        self.assertEqual(self.found("numbers", {"docs/page.md": "A message of 7 KiB.\n"}), [])

    def test_packages(self):
        self.expect("packages", "does not know", {"CMakeLists.txt": HASH_SPDX + "find_package(Boost)\n"})
        self.expect("packages", "libhwloc-dev is not in", {"CMakeLists.txt": HASH_SPDX + "pkg_check_modules(H REQUIRED hwloc)\n"})
        self.expect("packages", "mpich is not in", {
            "CMakeLists.txt": HASH_SPDX + "find_program(X_${mpi} mpirun.${mpi})\n",
            "scripts/packages.txt": "libfmt-dev\nopenmpi-bin\n"})
        self.expect("packages", "libpng-dev is not in", {"examples/first.cpp": SPDX + "#include <png.h>\n" + PROGRAM})

    def test_programs(self):
        page = f"[a program](first/a.cpp)\n```cpp\n{PROGRAM}```\n"
        self.assertEqual(self.found("programs", {"docs/page.md": page, "docs/first/a.cpp": SPDX + PROGRAM}), [])
        self.expect("programs", "differs from the file", {"docs/page.md": page, "docs/first/a.cpp": SPDX + "int main() {}\n"})
        self.expect("programs", "no page of docs/ shows it", {"docs/first/a.cpp": SPDX + PROGRAM})

    def test_readme(self):
        self.expect("readme", "differs", {"examples/first.cpp": SPDX + "int main() { return 1; }\n"})
        self.expect("readme", "shows no program", {"README.md": "Words.\n"})
        long = "\n" .join(["int main() {"] + [";"] * 24 + ["}"]) + "\n"
        self.expect("readme", "26 lines", {"examples/first.cpp": SPDX + long, "README.md": f"```cpp\n{long}```\n"})

        def shows(lines):
            return {"README.md": GOOD["README.md"] + f"[docs/a.cpp](docs/a.cpp)\n\n```cpp\n{lines}```\n",
                    "docs/a.cpp": SPDX + "void f() {\n    g();  // once\n    h();\n}\n"}

        self.assertEqual(self.found("readme", shows("g();\nh();\n")), [])
        self.expect("readme", "`k();` is no line of docs/a.cpp", shows("g();\nk();\n"))
        self.expect("readme", "`g();` is no line", shows("h();\ng();\n"))

        def row(what, steps):
            table = f"## What is there\n\n| | what | step by step | not yet |\n|---|---|---|---|\n| Copies | {what} | {steps} | |\n\n## Next\n"
            return {"README.md": GOOD["README.md"] + table, "docs/copies.md": "`copy` copies.\n"}

        self.assertEqual(self.found("readme", row("`copy`", "[1](docs/copies.md#a)")), [])
        self.expect("readme", "leads to no page", row("`copy`", ""))
        self.expect("readme", "has `copy_init`".replace("`", ""), row("`copy_init`", "[1](docs/copies.md#a)"))

    def test_results(self):
        run = {"title": "Halos", "about": "Two ranks.", "cpu": "a Xeon", "date": "2026-11-21", "command": "build/bin/bars", "conditions": "-",
               "rows": [{"what": "64³", "rival": "MPI", "ratio": 1.7, "interval": [1.6, 1.8], "of_limit": None, "readme": "64³"}]}
        marks = "<!-- results: {} -->\n<!-- end -->\n"

        def tree(change=(), page="docs/results.md", edit=lambda text: text):
            """What scripts/pages writes for the run with a change in it, and then somebody's edit of a page."""
            name = "docs/results/halo.json"
            files = {"README.md": GOOD["README.md"] + marks.format("summary"), "docs/results.md": marks.format("halo"),
                     name: json.dumps({**run, **dict(change)}, ensure_ascii=False)}
            files.update(importlib.import_module("results").files([name], files.__getitem__))
            files[page] = edit(files[page])
            return files

        importlib.import_module("rule_results")  # finds scripts/pages
        self.assertEqual(self.found("results", tree()), [])
        self.expect("results", "README.md: \"1.9 times as\" stands outside", tree((), "README.md", lambda text: text + "1.9 times as fast\n"))
        self.expect("results", "docs/results.md: does not show", tree((), "docs/results.md", lambda text: text.replace("1.7", "1.9")))
        self.expect("results", "summary.svg: does not show", tree((), "docs/results/summary.svg", lambda text: text.replace("1.7", "1.9")))
        self.expect("results", "names no program", tree([("command", "build/bin/gone")]))
        self.expect("results", "is no date", tree([("date", "yesterday")]))
        self.expect("results", "outside its interval", tree([("rows", [{**run["rows"][0], "ratio": 2.7}])]))
        self.expect("results", "two bars of its chart are called \"64³\"", tree([("rows", run["rows"] * 2)]))
        self.expect("results", "no page shows it", {**tree(), "docs/results.md": ""})
        one = {"about": "-", "cpu": "a Xeon", "date": "2026-11-21", "command": "build/bin/bars", "conditions": "-", "columns": ["a", "b"], "rows": [["1", "2"]]}
        mine = lambda edit=lambda text: text, **change: {"docs/tables/edges.json": json.dumps({**one, **change}), "docs/page.md": edit(importlib.import_module(
            "marks").filled(marks.replace("results", "table").format("edges"), "table", lambda name: importlib.import_module("tables").section({**one, **change})))}
        self.assertEqual(self.found("results", mine()), [])
        self.expect("results", "docs/page.md: does not show", mine(lambda text: text.replace("| 2 |", "| 3 |")))
        self.expect("results", "has 1 of 2 columns", mine(rows=[["1"]]))
        self.expect("results", "names no program", mine(command="gone"))
        less = {key: value for key, value in run.items() if key != "cpu"}
        self.expect("results", "says nothing of cpu", {**tree(), "docs/results/halo.json": json.dumps(less)})

    def test_settings(self):
        self.expect("settings", "SODE_TIMEOUT is not described", {"docs/environment.md": "\n"})
        self.expect("settings", "SODE_WRAPPED is not described",  # as clang-format lays out a long entry
                    {"src/base/config.cpp": GOOD["src/base/config.cpp"] + 'entry{\n    {"SODE_WRAPPED", "words"}}\n'})
        self.assertEqual(self.found("settings", {  # the old name of a setting is known, too
            "src/base/config.cpp": GOOD["src/base/config.cpp"].replace('}}', '},\n      set_timeout,\n      false,\n      "SODE_PATIENCE"}'),
            "src/base/other.cpp": SPDX + "// SODE_PATIENCE\n"}), [])
        self.expect("settings", "nothing reads it", {"docs/environment.md": "| `SODE_TIMEOUT` |\n| `SODE_OLD` |\n",
                                                     "src/plan/old.cpp": SPDX + "#define SODE_OLD\n"})
        self.expect("settings", "SODE_HIDDEN is no setting", {"src/plan/env.cpp": SPDX + 'getenv("SODE_HIDDEN");\n'})

    def test_sizes(self):
        self.expect("sizes", "501 lines", {"src/plan/big.cpp": SPDX + "\n" * 500})

    def test_voice(self):
        self.expect("voice", "\"floor\" is a word", {"README.md": GOOD["README.md"] + "Each floor looks down.\n"})
        self.expect("voice", "include/sode/grid.hpp: \"bar\"", {"include/sode/grid.hpp": SPDX + "/// The bar is 2.\nint door;\n"})
        for good in ({"docs/page.md": "`bars --only` is in [bench](bench/bars/README.md).\n"}, {"docs/lab-book.md": "The bar is 2.\n"},
                     {"src/plan/a.hpp": SPDX + "// A floor.\n"}):
            self.assertEqual(self.found("voice", good), [])

    def test_words(self):
        def says(line):
            return {"src/plan/a.cpp": SPDX + line}

        for line in ("// ranks of one\n// node share memory\n", "distance::other_node", "int on_node = 0;", "std::vector<int> nodes() override;\n",
                     "// messages between nodes\n", "// the same node\n", "// a node's memory\n", "class small_nodes {};",
                     "int leader_of_node;", "bool one_node;", "with_small_nodes(rt);", "bootstrap::nodes()", "int nodes() const override;\n"):
            self.expect("words", "a computer is a machine", says(line))
        for name in ("src/plan/node_share.cpp", "tests/array/other_node_test.cpp", "src/plan/reduce_nodes_plan.cpp", "tests/tasks/node/root.cpp",
                     "bench/nodes/main.cpp"):
            self.expect("words", "is named after", {name: SPDX})
        self.expect("words", "SODE_NODE_SIZE is an old name", says("// SODE_NODE_SIZE\n"))
        for line in ("// the rank of each node, and how many nodes a grid has\n", "// between NUMA nodes, on another NUMA node\n",
                     "node_grid const& grid; nodes<2> p; p.grid().nodes();", "order.node_of(rank); nodes_of(text);", "// the inode of another\n"):
            self.assertEqual(self.found("words", says(line)), [])


if __name__ == "__main__":
    unittest.main()
