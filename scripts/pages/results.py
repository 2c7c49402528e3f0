# SPDX-License-Identifier: Apache-2.0
"""docs/results/*.json and what pages show of them: tables, charts, and the chart of README.md.

A file is one run, or several on the same day and machine:
    title, about       a heading, and what it is about
    cpu, date, command what it was measured on, when (YYYY-MM-DD), and how to measure it again
    conditions         what else must be known
    rows               what: the workload; rival: the best of those that were measured; ratio: time of the rival / time of Sode;
                       interval: [low, high], 95 %, or null; of_limit: time of the limit / time of Sode, or null;
                       label: of its bar, where `what` alone does not tell two rows apart
                       readme: a short label, if the chart of README.md shows it
"""
import json

from chart import chart
from marks import filled, names

FOLDER = "docs/results/"
PAGES = ("README.md", "docs/results.md")
KEYS = {"title", "about", "cpu", "date", "command", "conditions", "rows"}
ROW_KEYS = {"what", "rival", "ratio", "interval", "of_limit"}


def read_all(listed, read, folder=FOLDER):
    return {name[len(folder):-len(".json")]: json.loads(read(name)) for name in listed if name.startswith(folder)}


def number(value):
    return "—" if value is None else f"{value:.3g}"


def source(run):
    return f"*{run['cpu']}; {run['date']}; `{run['command']}`. {run['conditions']}*"


def table(run):
    lines = ["| workload | best rival | rival's time / Sode's time | 95 % interval | fraction of the limit |", "|---|---|---|---|---|"]
    for r in run["rows"]:
        interval = "—" if r["interval"] is None else f"{r['interval'][0]:.3g} to {r['interval'][1]:.3g}"
        lines.append(f"| {r['what']} | {r['rival']} | {number(r['ratio'])} | {interval} | {number(r['of_limit'])} |")
    return "\n".join(lines)


def section(name, run):
    return f"## {run['title']}\n\n{run['about']}\n\n![{run['title']}](results/{name}.svg)\n\n{table(run)}\n\n{source(run)}\n"


def shown_first(runs):
    """What the chart of README.md shows, each row with a number behind it, and by number where it is from."""
    rows, sources = [], []
    for run in runs.values():
        text = f"{run['cpu']}, {run['date']}"
        for r in run["rows"]:
            if r.get("readme"):
                sources += [] if text in sources else [text]
                rows.append(dict(r, label=f"{r['readme']} [{sources.index(text) + 1}]"))
    return rows, [f"[{i + 1}] {text}" for i, text in enumerate(sources)]


def summary(runs):
    _, sources = shown_first(runs)
    return ("![Time of the best rival divided by the time of Sode, for some workloads](docs/results/summary.svg)\n\n"
            f"*{'; '.join(sources)}. The page [Results](docs/results.md) has all results, with rivals, intervals and commands.*\n")


def charts(runs):
    made = {}
    for name, run in runs.items():
        rows = [dict(r, label=r.get("label", r["what"])) for r in run["rows"]]
        made[f"{FOLDER}{name}.svg"] = chart(f"{run['title']}: rival's time / Sode's time", [f"{run['cpu']}, {run['date']}"], rows)
    rows, sources = shown_first(runs)
    if rows:
        made[f"{FOLDER}summary.svg"] = chart("Time of the best rival / time of Sode (above 1: Sode is faster)", sources, rows)
    return made


def in_order(runs, read):
    """As docs/results.md shows them."""
    listed = [name for name in names(read("docs/results.md"), "results") if name in runs]
    return {name: runs[name] for name in listed}


def files(listed, read):
    """Every file that shows results, and its text as it should be."""
    runs = read_all(listed, read)
    text_of = lambda name: summary(in_order(runs, read)) if name == "summary" else section(name, runs[name])
    pages = {page: filled(read(page), "results", text_of) for page in PAGES}
    return {**pages, **charts(in_order(runs, read))}


def complaints_of_file(where, measured, keys, is_shown, programs):
    """What is wrong with a file of measurements, whatever its rows hold."""
    if missing := keys - set(measured):
        return [f"{where}: says nothing of {', '.join(sorted(missing))}"]
    found = [] if is_shown else [f"{where}: no page shows it"]
    if not any(program in measured["command"] for program in programs):
        found.append(f"{where}: its command names no program of this tree: {measured['command']}")
    return found


def complaints(listed, read, programs):
    """What is wrong with the files themselves. `programs`: all that a command may begin with."""
    found = []
    runs = read_all(listed, read)
    shown = {name for page in PAGES for name in names(read(page), "results")}
    for name, run in runs.items():
        where = f"{FOLDER}{name}.json"
        found += complaints_of_file(where, run, KEYS, name in shown, programs)
        if KEYS - set(run):
            continue
        bars = [r.get("label", r.get("what")) for r in run["rows"]]
        found += [f"{where}: two bars of its chart are called \"{bar}\"" for bar in sorted({bar for bar in bars if bars.count(bar) > 1})]
        for r in run["rows"]:
            if missing := ROW_KEYS - set(r):
                found.append(f"{where}: row \"{r.get('what')}\" says nothing of {', '.join(sorted(missing))}")
            elif r["interval"] and not r["interval"][0] <= r["ratio"] <= r["interval"][1]:
                found.append(f"{where}: row \"{r['what']}\" lies outside its interval")
    return found
