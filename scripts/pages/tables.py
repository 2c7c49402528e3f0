# SPDX-License-Identifier: Apache-2.0
"""docs/tables/*.json: other measurements that pages of docs/ show, each as a table with what it was measured on below it.

A file: about (what the numbers say), cpu, date, command, conditions as in results.py; columns, and rows of as many texts."""
from marks import filled, names
from results import source

import json

FOLDER = "docs/tables/"
KEYS = {"about", "cpu", "date", "command", "conditions", "columns", "rows"}


def read_all(listed, read):
    return {name[len(FOLDER):-len(".json")]: json.loads(read(name)) for name in listed if name.startswith(FOLDER)}


def section(table):
    line = lambda cells: f"| {' | '.join(cells)} |"
    return "\n".join([line(table["columns"]), "|---" * len(table["columns"]) + "|", *map(line, table["rows"])]) + \
        f"\n\n{table['about']}\n\n{source(table)}\n"


def files(listed, pages, read):
    """Every page that shows a table, and its text as it should be."""
    tables = read_all(listed, read)
    return {page: filled(read(page), "table", lambda name: section(tables[name])) for page in pages if names(read(page), "table")}


def complaints(listed, pages, read, programs):
    found = []
    shown = {name for page in pages for name in names(read(page), "table")}
    for name, table in read_all(listed, read).items():
        where = f"{FOLDER}{name}.json"
        if missing := KEYS - set(table):
            found.append(f"{where}: says nothing of {', '.join(sorted(missing))}")
            continue
        if name not in shown:
            found.append(f"{where}: no page shows it")
        if not any(program in table["command"] for program in programs):
            found.append(f"{where}: its command names no program of this tree: {table['command']}")
        found += [f"{where}: row \"{row[0]}\" has {len(row)} of {len(table['columns'])} columns" for row in table["rows"]
                  if len(row) != len(table["columns"])]
    return found
