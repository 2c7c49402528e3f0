# SPDX-License-Identifier: Apache-2.0
"""Every measured number that README.md and docs/results.md show comes from a JSON file in docs/results/, with processor, date and command;
and the tables of other pages from one in docs/tables/.

So what is generated is what scripts/pages would write, the commands name programs that are here, and outside of the generated parts
no number has a unit of time or speed."""
import datetime
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/pages"))
import marks  # noqa: E402
import results  # noqa: E402
import tables  # noqa: E402

MEASURED = re.compile(r"\d[\d.,]*\s?(?:%|[µu]s\b|ms\b|ns\b|[KMGT]i?B/s|GFLOPS|times (?:as|faster|slower)|x (?:as|faster|slower))")
ALLOWED = {"95 %"}  # the kind of interval


def programs(tree):
    """What a command must name: a program of bench/, or one of the two commands that start them."""
    text = "\n".join(tree.text(name) for name in tree.files() if name.startswith("bench/") and name.endswith("CMakeLists.txt"))
    alone = re.findall(r"add_executable\((bench_[a-z_]+)", text)
    return {"bin/bars", "sode bench", *alone, *(f"bench_{name}_" for name in re.findall(r"sode_bench_mpi\((\w+)", text))}


def other_tables(tree):
    listed = [name for name in tree.files() if name.startswith(tables.FOLDER) and name.endswith(".json")]
    pages = [name for name in tree.files() if re.fullmatch(r"docs/[\w-]+\.md", name)]
    found = tables.complaints(listed, pages, tree.text, programs(tree)) if listed else []
    if not found and listed:
        found += [f"{page}: does not show what the JSON files say (python3 scripts/pages)"
                  for page, text in tables.files(listed, pages, tree.text).items() if tree.text(page) != text]
    return found


def findings(tree):
    listed = [name for name in tree.files() if name.startswith(results.FOLDER) and name.endswith(".json")]
    found = other_tables(tree)
    for page in results.PAGES:
        if tree.has(page):
            found += [f"{page}: \"{match}\" stands outside of the generated parts, and is in no JSON file"
                      for match in MEASURED.findall(marks.prose(tree.text(page))) if match.strip() not in ALLOWED]
    if not listed:
        return found
    found += results.complaints(listed, tree.text, programs(tree))
    if found:
        return found
    for name in listed:
        date = results.read_all([name], tree.text).popitem()[1]["date"]
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", date) or datetime.date.fromisoformat(date) > datetime.date.today() + datetime.timedelta(1):
            found.append(f"{name}: {date} is no date of a measurement")
    for name, text in results.files(listed, tree.text).items():
        if not tree.has(name) or tree.text(name) != text:
            found.append(f"{name}: does not show what the JSON files say (python3 scripts/pages)")
    return found
