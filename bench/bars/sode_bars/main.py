# SPDX-License-Identifier: Apache-2.0
"""One command that measures every bar and prints a line for each."""
import argparse
import json
import re
import sys

from . import datatypes
from .campaign import run_all
from .rows import campaigns, rows
from .samples import Samples


def needed(all_campaigns, table):
    """Those whose results a row of the table reads; `laplace.alone.16` also needs its base on 2 ranks."""
    names = {r.campaign for r in table}
    if "laplace.alone.16" in names:
        names.add("laplace.alone.2")
    names.update(name for r in table for name in datatypes.needs(r.name))
    return [c for name, c in all_campaigns.items() if name in names]


def main(machine, argv=None):
    options = argparse.ArgumentParser(prog="bars", description=__doc__)
    options.add_argument("--minutes", type=float, default=8, help="stop sampling after this long (default 8)")
    options.add_argument("--only", default="", metavar="REGEX", help="rows whose names match")
    options.add_argument("--list", action="store_true", help="print the rows and their targets")
    options.add_argument("--json", metavar="FILE", help="write every sample as well")
    options.add_argument("--quiet", action="store_true", help="no progress on stderr")
    o = options.parse_args(argv)

    table = [r for r in rows(machine) if re.search(o.only, r.name)]
    if o.list:
        for r in table:
            print(r.name, r.target(), sep="\t")
        return 0
    by_name = campaigns(machine)
    samples = Samples()
    log = (lambda text: None) if o.quiet else (lambda text: print(text, file=sys.stderr))
    run_all(needed(by_name, table), samples, o.minutes, log)

    short = 0
    for r in table:
        v = r.measure(samples)
        if any(c.failure for name, c in by_name.items() if name == r.campaign or name in datatypes.needs(r.name)):
            v.failed = True
        status = r.status(v)
        short += status == "short"
        value = "failed" if v.failed else "-" if v.value is None else f"{v.value:.3g}"
        print(r.name, value, r.target(), status, v.samples, sep="\t", flush=True)
    if o.json:
        with open(o.json, "w", encoding="utf-8") as file:
            json.dump({"times": [[*k, v] for k, v in samples.times.items()], "ratios": [[*k, v] for k, v in samples.ratios.items()]}, file)
    return 1 if short else 0
