#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Paper P3's broadcast on FX100, by the evaluator: 36 machines as a torus, offload against progress thread, 1 KiB to 256 MiB.

    bench/predictions/p3.py --sode build/release/bin/sode [--json p3.json] [--html p3.html] [--markdown]

Predicted is what published figures of point-to-point messages give, and what they leave open is assumed (README.md says which is which).
Fitted are two constants, so that both times at 1 KiB are the paper's; all else of that column is then predicted.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("command", "bars")]
from sode_bench.page.curves import drawing  # noqa: E402

TORUS = "3x3x4"
HOP = "100"
ENGINES = ("thread", "triggered")
SIZES = [1 << n for n in range(10, 29)]


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def evaluate(sode, profile, sizes):
    """{(engine, bytes): row}"""
    with tempfile.TemporaryDirectory() as folder:
        machine, rows = os.path.join(folder, "machine.json"), os.path.join(folder, "rows.json")
        with open(machine, "w", encoding="utf-8") as file:
            json.dump(profile, file)
        subprocess.run([sode, "plan", "--collective", "broadcast", "--machines", TORUS, "--network", "torus", "--hop", HOP, "--profile", machine,
                        "--algorithm", "trinary", "--engine", ",".join(ENGINES), "--bytes", ",".join(str(s) for s in sizes), "--json", rows],
                       check=True, stdout=subprocess.DEVNULL)
        with open(rows, encoding="utf-8") as file:
            return {(r["engine"], r["bytes"]): r for r in json.load(file)}


def us(found, engine, size):
    return found[engine, size]["first"] / 1000


def fitted(sode, profile, paper):
    """The profile with the two constants by which both times at the smallest size are the paper's."""
    result = json.loads(json.dumps(profile))
    for engine, group, field in (("thread", "network", "overhead"), ("triggered", "engines", "trigger")):
        low, high = 0.0, 10000.0
        for _ in range(30):
            result[group][field] = (low + high) / 2
            if us(evaluate(sode, result, [paper["bytes"]]), engine, paper["bytes"]) < paper["us"][engine]:
                low = (low + high) / 2
            else:
                high = (low + high) / 2
    return result


def size_text(size):
    for unit in ("B", "KiB", "MiB"):
        if size < 1024 or unit == "MiB":
            return f"{size} {unit}"
        size //= 1024


def table(found):
    lines = ["| | offload us | thread us | offload MiB/s | thread MiB/s | ahead |", "|---|---:|---:|---:|---:|---|"]
    for size in SIZES:
        offload, thread = us(found, "triggered", size), us(found, "thread", size)
        rate = [size / t / 1.048576 for t in (offload, thread)]
        lines.append(f"| {size_text(size)} | {offload:.2f} | {thread:.2f} | {rate[0]:.0f} | {rate[1]:.0f} | "
                     f"{'offload' if offload < thread else 'thread'} |")
    return lines


def span(found, engine, what):
    values = [found[engine, size][what] / 1000 for size in SIZES]
    return min(values), max(values)


def findings(found, paper):
    """[(what, the paper's, ours, error)]; an error is a share of the paper's."""
    rows = []

    def number(what, theirs, ours, unit):
        rows.append((what, f"{theirs:g} {unit}", f"{ours:.2f} {unit}", f"{100 * (ours - theirs) / theirs:+.0f} %"))

    small = paper["bytes"]
    number("1 KiB, offload", paper["us"]["triggered"], us(found, "triggered", small), "us")
    number("1 KiB, thread", paper["us"]["thread"], us(found, "thread", small), "us")
    number("1 KiB, thread / offload", paper["us"]["thread"] / paper["us"]["triggered"],
           us(found, "thread", small) / us(found, "triggered", small), "")
    ahead = [s for s in SIZES if us(found, "triggered", s) < us(found, "thread", s)]
    rows.append(("offload ahead up to", size_text(paper["ahead_up_to"]), size_text(max(ahead)) if ahead else "nowhere",
                 "agrees" if ahead and max(ahead) == paper["ahead_up_to"] and len(ahead) == 17 else "differs"))
    at = paper["thread_ahead_at"]
    rates = {e: at / us(found, e, at) / 1.048576 for e in ENGINES}
    number("128 MiB, thread ahead by", paper["thread_ahead_mib_s"], rates["thread"] - rates["triggered"], "MiB/s")
    for what, field, unit in (("start", "start", "start_us"), ("init", "plan", "init_us")):
        for engine, name in (("thread", "thread"), ("triggered", "offload")):
            for end, word in ((0, "least"), (1, "most")):
                number(f"{what}, {name}, {word}", paper[unit][engine][end], span(found, engine, field)[end], "us")
    return rows


def findings_table(columns, paper):
    """`columns`: {name: found}"""
    listed = {name: findings(found, paper) for name, found in columns.items()}
    lines = ["| | paper | " + " | ".join(f"{name} | error" for name in listed) + " |", "|---|---:|" + "---:|---:|" * len(listed)]
    for i, (what, theirs, *_) in enumerate(next(iter(listed.values()))):
        lines.append(f"| {what} | {theirs} | " + " | ".join(f"{rows[i][2]} | {rows[i][3]}" for rows in listed.values()) + " |")
    return lines


def html_of(lines):
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("|---")]
    text = "<table>"
    for i, row in enumerate(rows):
        kind = "th" if i == 0 else "td"
        text += "<tr>" + "".join(f"<{kind}>{cell}</{kind}>" for cell in row) + "</tr>"
    return text + "</table>"


def picture(title, found, paper):
    points = {e: [(s, us(found, e, s), f"{e}, {size_text(s)}: {us(found, e, s):.2f} us") for s in SIZES] for e in ENGINES}
    for engine in ENGINES:
        points["paper " + engine] = [(paper["bytes"], paper["us"][engine], f"paper, {engine}: {paper['us'][engine]} us")]
    colours = {"triggered": "s1", "thread": "s3", "paper triggered": "s2", "paper thread": "s4"}
    return drawing(title, points, colours, "bytes of the broadcast", SIZES)


def page(columns, paper):
    with open(os.path.join(HERE, "..", "command", "sode_bench", "page", "style.css"), encoding="utf-8") as file:
        style = file.read()
    body = "<h1>Paper P3 on FX100, predicted</h1><p class='legend'><span><i class='key s1'></i>offload</span><span><i class='key s3'></i>thread</span>"
    body += "<span><i class='key s2'></i>the paper's offload</span><span><i class='key s4'></i>the paper's thread</span></p>"
    body += "<div class='card'>" + html_of(findings_table(columns, paper)) + "</div>"
    for name, found in columns.items():
        body += f"<h2>{name}</h2><div class='card'>{picture('broadcast to 36 machines, ' + name, found, paper)}{html_of(table(found))}</div>"
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/><title>paper P3, predicted</title>'
            f"<style>\n{style}\ntd,th{{padding:2px 10px;text-align:right}}</style></head>\n<body><main>{body}</main></body></html>\n")


def check(found, paper):
    """What the predictions from published figures and assumptions have in common with the paper. Not all of its findings: docs/predictions.md."""
    at = paper["thread_ahead_at"]
    start = {e: [found[e, s]["start"] for s in SIZES] for e in ENGINES}
    for what, holds in (("1 KiB by offload within 40 %", abs(us(found, "triggered", 1024) / paper["us"]["triggered"] - 1) < 0.4),
                        ("thread ahead at 128 MiB", us(found, "thread", at) < us(found, "triggered", at)),
                        ("start of thread flat", len(set(start["thread"])) == 1),
                        ("start of offload grows", start["triggered"] == sorted(start["triggered"]) and start["triggered"][0] < start["triggered"][-1]),
                        ("three interfaces at once", at / us(found, "thread", at) > 2.5 * 12500)):
        if not holds:
            sys.exit(f"not so: {what}")
    print("what agreed with the paper still does")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--sode", required=True, help="the sode command")
    words.add_argument("--json", help="write all rows there")
    words.add_argument("--html", help="write a page with the curves there")
    words.add_argument("--check", action="store_true", help="fail unless the model has the paper's shape")
    words.add_argument("--no-fit", action="store_true", help="leave out the fitted column")
    o = words.parse_args()
    paper, machine = read("p3_paper.json"), read("fx100.json")
    columns = {"predicted": evaluate(o.sode, machine, SIZES)}
    constants = {"predicted": machine}
    if not o.no_fit:
        constants["fitted"] = fitted(o.sode, machine, paper)
        columns["fitted"] = evaluate(o.sode, constants["fitted"], SIZES)
    print("\n".join(findings_table(columns, paper)))
    for name, found in columns.items():
        print(f"\n{name}: overhead {constants[name]['network']['overhead']:.0f} ns, trigger {constants[name]['engines']['trigger']:.0f} ns\n")
        print("\n".join(table(found)))
    if o.check:
        check(columns["predicted"], paper)
    if o.json:
        with open(o.json, "w", encoding="utf-8") as file:
            json.dump({"paper": paper, "constants": constants, "rows": {n: list(f.values()) for n, f in columns.items()}}, file, indent=1)
    if o.html:
        with open(o.html, "w", encoding="utf-8") as file:
            file.write(page(columns, paper))
        print(f"\nto look at: {o.html}")


if __name__ == "__main__":
    main()
