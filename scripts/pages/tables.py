# SPDX-License-Identifier: Apache-2.0
"""docs/tables/*.json: other measurements that pages of docs/ show, each as a table with what it was measured on below it.

A file: about (what the numbers say), cpu, date, command, conditions as in results.py; columns, and rows of as many texts."""
from marks import filled, names
from results import complaints_of_file, read_all, source

FOLDER = "docs/tables/"
KEYS = {"about", "cpu", "date", "command", "conditions", "columns", "rows"}


def section(table):
    line = lambda cells: f"| {' | '.join(cells)} |"
    return "\n".join([line(table["columns"]), "|---" * len(table["columns"]) + "|", *map(line, table["rows"])]) + \
        f"\n\n{table['about']}\n\n{source(table)}\n"


def files(listed, pages, read):
    """Every page that shows a table, and its text as it should be."""
    tables = read_all(listed, read, FOLDER)
    return {page: filled(read(page), "table", lambda name: section(tables[name])) for page in pages if names(read(page), "table")}


def complaints(listed, pages, read, programs):
    found = []
    shown = {name for page in pages for name in names(read(page), "table")}
    for name, table in read_all(listed, read, FOLDER).items():
        where = f"{FOLDER}{name}.json"
        found += complaints_of_file(where, table, KEYS, name in shown, programs)
        if KEYS - set(table):
            continue
        found += [f"{where}: row \"{row[0]}\" has {len(row)} of {len(table['columns'])} columns" for row in table["rows"]
                  if len(row) != len(table["columns"])]
    return found
