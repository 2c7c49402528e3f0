# SPDX-License-Identifier: Apache-2.0
"""One command that measures every bar and prints a line for each."""
import argparse
import json
import re
import sys

from . import against
from .again import Again
from .campaign import run_all
from .machine import processor, usable_cores
from .rows import campaigns, rows
from .samples import Samples


def needed(all_campaigns, table):
    """Those whose results a row of the table reads."""
    names = {name for r in table for name in r.campaign_names()}
    return [c for name, c in all_campaigns.items() if name in names]


def options_of(argv):
    options = argparse.ArgumentParser(prog="bars", description=__doc__)
    options.add_argument("--minutes", type=float, default=8, help="stop sampling after this long (default 8)")
    options.add_argument("--again", type=float, metavar="MINUTES", help="for rows that are short, once more (default: half of --minutes)")
    options.add_argument("--only", default="", metavar="REGEX", help="rows whose names match")
    options.add_argument("--list", action="store_true", help="print the rows and their targets")
    options.add_argument("--json", metavar="FILE", help="write every sample as well")
    options.add_argument("--against", metavar="BUILD", help="compare with another build of ours, turn about, and not with rivals")
    options.add_argument("--quiet", action="store_true", help="no progress on stderr")
    return options.parse_args(argv)


def main(machine, argv=None):
    o = options_of(argv)
    table = [r for r in rows(machine) if re.search(o.only, r.name)]
    if o.list:
        for r in table:
            print(r.name, r.target(), sep="\t")
        return 0
    by_name = campaigns(machine)
    samples = Samples()
    log = (lambda text: None) if o.quiet else (lambda text: print(text, file=sys.stderr))
    if o.against:
        return compare_builds(machine, {c.name: c for c in needed(by_name, table)}, o, log)
    run_all(needed(by_name, table), samples, o.minutes, log)

    first = {r.name: first_verdict(r, samples, by_name) for r in table}
    again = Again(table, first, samples)
    again.measure(by_name, o.minutes / 2 if o.again is None else o.again, log)

    where = {"cpu": processor(), "cores": usable_cores()}
    print(f"# {where['cpu']}, {where['cores']} cores", flush=True)
    for r in table:
        v = again.verdict(r.name)
        print(r.name, v.number(), r.target(), v.status, v.why, again.text(r.name), sep="\t", flush=True)
    if o.json:
        with open(o.json, "w", encoding="utf-8") as file:
            json.dump(document(where, table, again, samples), file)
    return 1 if any(again.verdict(r.name).status == "short" for r in table) else 0


def compare_builds(machine, by_name, o, log):
    other = campaigns(against.other_machine(machine, o.against))
    pairs, failures = against.compare(by_name, other, o.minutes, o.minutes / 2 if o.again is None else o.again, log)
    print(f"# {processor()}, {usable_cores()} cores; time of {o.against} / time of {machine.build}", flush=True)
    for line in against.told(pairs):
        print(line)
    if o.json:
        with open(o.json, "w", encoding="utf-8") as file:
            json.dump({kind: [[*k, v] for k, v in getattr(pairs, kind).items()] for kind in ("ours", "rivals")}, file)
    return 1 if failures or any(pairs.verdict(k)[4] == "slower" for k in pairs.ours) else 0


def first_verdict(row, samples, by_name):
    """A row fails with its programs."""
    verdict = row.verdict(samples)
    if any(by_name[name].failure for name in row.campaign_names() if name in by_name):
        verdict.value.failed = True
        verdict.status = "short"
    return verdict


def document(where, table, again, samples):
    """For other programs: the rows, with both measurements where there are two, and every sample of both."""
    def told(verdict):
        v = verdict.value
        return {"value": v.value, "low": v.low, "high": v.high, "pairs": v.pairs, "case": v.case, "status": verdict.status, "why": verdict.why}

    def samples_of(s):
        return {name: [[*k, v] for k, v in getattr(s, name).items()] for name in ("times", "ratios", "fractions")}
    lines = [{"name": r.name, "target": r.target(), **told(again.verdict(r.name)),
              **({"first": told(again.first[r.name])} if r.name in again.second else {})} for r in table]
    return {"machine": where, "rows": lines, **samples_of(samples), "again": [samples_of(part.samples) for part in again.parts]}
