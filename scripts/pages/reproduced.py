# SPDX-License-Identifier: Apache-2.0
"""docs/reproduced/*.json, one for each paper, and docs/reproduced.md.

A file: title, machine (of the paper), and rows, each for a number of a figure or table:
    figure, what, paper       what the paper shows, in its numbers
    measured                  ours, on cpu and date, by command
    predicted                 the model's, from constants that do not come from this figure, by command
    fitted                    the model's, with constants that were chosen so that this figure comes out
    why                       where neither was possible here, or what the figures do not say
    finds                     texts that command prints, which a test looks for (tests/docs/repeats.py)
"""
import json

from marks import filled, names

FOLDER = "docs/reproduced/"
PAGE = "docs/reproduced.md"
KINDS = ("measured", "predicted", "fitted")


def read_all(listed, read):
    return {name[len(FOLDER):-len(".json")]: json.loads(read(name)) for name in listed if name.startswith(FOLDER)}


def how(row):
    parts = [f"`{row['command']}`"] if row.get("command") else []
    parts += [f"{row['cpu']}, {row['date']}"] if row.get("cpu") else []
    parts += [row["why"]] if row.get("why") else []
    return "; ".join(parts)


def section(paper):
    lines = [f"## {paper['title']}\n\nThe machine of the paper is {paper['machine']}\n",
             "| figure | what | paper | measured | predicted | fitted | command, or reason |", "|---|---|---|---|---|---|---|"]
    for r in paper["rows"]:
        ours = " | ".join(r.get(kind) or "—" for kind in KINDS)
        lines.append(f"| {r['figure']} | {r['what']} | {r['paper']} | {ours} | {how(r)} |")
    return "\n".join(lines) + "\n"


def files(listed, read):
    papers = read_all(listed, read)
    return {PAGE: filled(read(PAGE), "reproduced", lambda name: section(papers[name]))} if papers else {}


def complaints(listed, read):
    found = []
    papers = read_all(listed, read)
    shown = names(read(PAGE), "reproduced") if papers else []
    for name, paper in papers.items():
        where = f"{FOLDER}{name}.json"
        if name not in shown:
            found.append(f"{where}: {PAGE} does not show it")
        for r in paper["rows"]:
            row = f"{where}: {r['figure']}, \"{r['what']}\""
            ours = [kind for kind in KINDS if r.get(kind)]
            if not ours and not r.get("why"):
                found.append(f"{row}: has no number of ours, and does not say why")
            if ours and not r.get("command"):
                found.append(f"{row}: has a number of ours and no command")
            if r.get("measured") and not (r.get("cpu") and r.get("date")):
                found.append(f"{row}: is measured, and does not say where and when")
            if (r.get("predicted") or r.get("fitted")) and not r.get("finds"):
                found.append(f"{row}: is a model's, and says nothing that a test could find in what the command prints")
    return found
