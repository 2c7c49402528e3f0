# SPDX-License-Identifier: Apache-2.0
"""Writes the conformance suite of directives as BATCHES programs of C, each case in one of them, and the same in C++; or the
part that is about devices.

usage: generate.py FOLDER BATCHES     writes FOLDER/batch_0.c, batch_0.cpp, ...
       generate.py FOLDER BATCHES --accelerators
       generate.py --table            prints how many cases each directive and clause has, as a table of Markdown
       generate.py --write PAGE       writes that table into a page of Markdown; --compare PAGE: fails where it is another one
"""
import pathlib
import sys

import accelerators
import expressions
import halos
import loops
import moves
import reductions
import tasks
import values
import written_twice

HEAD = """/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <xmp.h>

"""
MAIN = """
static struct {
    int (*run)(void);
    char const* name;
} const cases[] = {
%s};

int main(void) {
    int failed = 0;
    for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        int const failures = cases[k].run();
        if (failures != 0) printf("node %%d of %%d: %%d checks of \\"%%s\\" failed\\n", xmp_node_num(), xmp_num_nodes(), failures, cases[k].name);
        failed += failures != 0;
    }
    return failed != 0;
}
"""


def all_cases():
    for part in (loops, reductions, halos, moves, tasks, values, expressions, written_twice):
        yield from part.cases()


def name(case):
    return " ".join(word for word in (case.directive, case.clause, case.about) if word).replace('"', "'")


def write(folder, batches, chosen):
    parts = [[] for _ in range(batches)]
    for number, case in enumerate(chosen):
        parts[number % batches].append((number, case))
    for k, part in enumerate(parts):
        text = HEAD
        for number, case in part:
            text += case.outside.replace("ID", str(number))
            text += f"/* {name(case)} */\nstatic int case_{number}(void) {{\n    int failures = 0;\n{case.body.replace('_ID', f'_{number}')}"
            text += "    return failures;\n}\n\n"
        text += MAIN % "".join(f'    {{case_{number}, "{name(case)}"}},\n' for number, case in part)
        for ending in ("c", "cpp"):
            path = pathlib.Path(folder) / f"batch_{k}.{ending}"
            if not path.exists() or path.read_text() != text:
                path.write_text(text)


def table():
    counts = {}
    for case in [*all_cases(), *accelerators.cases()]:
        counts.setdefault((case.directive, case.clause), []).append(case)
    lines = ["| directive | clause or form | cases |", "|---|---|---|"]
    for (directive, clause), cases in sorted(counts.items()):
        lines.append(f"| `{directive}` | {clause.replace('|', chr(92) + '|')} | {len(cases)} |")
    lines.append(f"| | all | {sum(len(c) for c in counts.values())} |")
    return "\n".join(lines) + "\n"


BEGIN, END = "<!-- cases -->\n", "<!-- end of cases -->\n"


def with_table(text):
    before, rest = text.split(BEGIN)
    return before + BEGIN + "\n" + table() + "\n" + END + rest.split(END)[1]


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print(table(), end="")
    elif len(sys.argv) == 3 and sys.argv[1] in ("--write", "--compare"):
        page = pathlib.Path(sys.argv[2])
        if sys.argv[1] == "--write":
            page.write_text(with_table(page.read_text()))
        elif page.read_text() != with_table(page.read_text()):
            sys.exit(f"the table of {page} is another one: generate.py --write {page}")
    elif len(sys.argv) == 3:
        write(sys.argv[1], int(sys.argv[2]), all_cases())
    elif len(sys.argv) == 4 and sys.argv[3] == "--accelerators":
        write(sys.argv[1], int(sys.argv[2]), accelerators.cases())
    else:
        sys.exit(__doc__)
