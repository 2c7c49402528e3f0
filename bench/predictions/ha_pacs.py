#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collectives of paper P0's machine, HA-PACS/TCA, by the evaluator: four sub-clusters of 16 machines, each a 2 x 8 double ring of TCA, and
InfiniBand between all 64. By both networks, a message goes by TCA inside a sub-cluster, and by InfiniBand else; algorithm tiered sends one to
each sub-cluster. The best algorithm by both is held against the best by InfiniBand alone.

    bench/predictions/ha_pacs.py --sode build/release/bin/sode [--json ha_pacs.json]
"""
import argparse
import json
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MACHINE = os.path.join(HERE, "..", "..", "tests", "model", "p0_machine.json")
HOP, TCA_HOP = "100", "300"
SIZES = [8 << n for n in range(0, 18, 1)]


def evaluate(sode, kind, more):
    """[row]"""
    with tempfile.TemporaryDirectory() as folder:
        rows = os.path.join(folder, "rows.json")
        subprocess.run([sode, "plan", "--collective", kind, "--machines", "64", "--network", "crossbar", "--carrier", "infiniband", "--hop", HOP,
                        "--profile", MACHINE, "--bytes", ",".join(str(s) for s in SIZES), "--json", rows, *more],
                       check=True, stdout=subprocess.DEVNULL)
        with open(rows, encoding="utf-8") as file:
            return [r for r in json.load(file) if "first" in r]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--sode", required=True, help="the sode command")
    words.add_argument("--quick", action="store_true", help="two sizes only")
    words.add_argument("--json", help="write all rows there")
    o = words.parse_args()
    if o.quick:
        SIZES[:] = [64, 8192]
    everything = {}
    for kind in ("broadcast", "allreduce"):
        alone = evaluate(o.sode, kind, [])
        both = evaluate(o.sode, kind, ["--inner", "tca=torus:2x8", "--inner-hop", TCA_HOP])
        everything[kind] = {"infiniband": alone, "both": both}
        print(f"\n| {kind}, 64 machines | InfiniBand alone us | algorithm | both networks us | algorithm | InfiniBand / both | tiered us |\n|---|---:|---|---:|---|---:|---:|")
        for size in SIZES:
            best = min((r for r in alone if r["bytes"] == size), key=lambda r: r["first"], default=None)
            hybrid = min((r for r in both if r["bytes"] == size), key=lambda r: r["first"])
            tiered = next(r for r in both if r["bytes"] == size and r["algorithm"] == "tiered")
            if best:
                print(f"| {size} B | {best['first'] / 1000:.1f} | {best['algorithm']} | {hybrid['first'] / 1000:.1f} | "
                      f"{hybrid['algorithm']} | {best['first'] / hybrid['first']:.2f} | {tiered['first'] / 1000:.1f} |")
    if o.json:
        with open(o.json, "w", encoding="utf-8") as file:
            json.dump(everything, file, indent=1)


if __name__ == "__main__":
    main()
