#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collectives of this machine: what the evaluator says of start and wait, and what they take.

The constants are those of `sode tune`, which copies between two processes and knows nothing of collectives. `sode plan` predicts near cores, so samples of far ones are left out.

    sode tune -o here.json
    bench/predictions/here.py --sode build/release/bin/sode --bench build/release/bin/bench_collectives_openmpi --mpirun mpirun --profile here.json
"""
import argparse
import json
import os
import shlex
import statistics
import subprocess
import tempfile

KINDS = {"barrier": "barrier", "bcast": "broadcast", "reduce": "reduce", "allreduce": "allreduce", "reduce_scatter": "reduce_scatter",
         "scan": "scan", "allgather": "allgather", "alltoall": "alltoall"}


def predicted(o, operation, folder):
    """[ns] by size, of the algorithm that takes least."""
    rows = os.path.join(folder, "rows.json")
    subprocess.run([o.sode, "plan", "--collective", KINDS[operation], "--machines", "1", "--ranks", str(o.ranks), "--bytes", o.sizes,
                    "--profile", o.profile, "--json", rows], check=True, stdout=subprocess.DEVNULL)
    best = {}
    with open(rows, encoding="utf-8") as file:
        for row in json.load(file):
            if row.get("then", 0) < best.get(row["bytes"], (float("inf"),))[0]:
                best[row["bytes"]] = (row["then"], row["algorithm"])
    return best


def measured(o, folder):
    """The samples of bench_collectives: start and wait of Sode's plans, in memory of the ranks' own or shared."""
    samples = os.path.join(folder, "samples.json")
    subprocess.run([*shlex.split(o.mpirun), "-n", str(o.ranks), "env", "SODE_PROFILE=" + os.path.abspath(o.profile), o.bench, "--turns",
                    str(o.turns), "--only", o.operations, "--sizes", o.sizes, "--json", samples], check=True, stdout=subprocess.DEVNULL)
    with open(samples, encoding="utf-8") as file:
        return json.load(file)["cases"]


def error(said, seen):
    return f"{100 * (said / seen - 1):+.0f} %"


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--sode", required=True)
    words.add_argument("--bench", required=True)
    words.add_argument("--mpirun", default="mpirun")
    words.add_argument("--profile", required=True)
    words.add_argument("--ranks", type=int, default=2)
    words.add_argument("--turns", type=int, default=5)
    words.add_argument("--clock", type=float, default=25, help="ns that reading the clock adds to each sample")
    words.add_argument("--operations", default=",".join(KINDS))
    words.add_argument("--sizes", default="8,1024,16384,65536,1048576")
    o = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        said = {operation: predicted(o, operation, folder) for operation in o.operations.split(",")}
        cases = measured(o, folder)
    print("| operation | bytes | predicted us | algorithm | own memory us | error | shared memory us | error |")
    print("|---|---:|---:|---|---:|---:|---:|---:|")
    within = {"own": 0, "shared": 0}
    points = 0
    for case in cases:
        words_of = case["case"].split()
        size = int(words_of[1]) if len(words_of) > 1 else 0
        predictions = said[words_of[0]]
        ns, algorithm = predictions[size] if size in predictions else min(predictions.values())
        points += 1
        line = f"| {words_of[0]} | {size} | {ns / 1000:.3f} | {algorithm} |"
        for name in within:
            us = statistics.median([s["median_us"] for s in case["samples"] if s["name"] == name and s["regime"] == "near"] or [float("nan")]) - o.clock / 1000
            within[name] += abs(ns / 1000 / us - 1) <= 0.3
            line += f" {us:.3f} | {error(ns / 1000, us)} |"
        print(line)
    print(f"\nwithin 30 %: of {points} points {within['own']} in own memory, {within['shared']} in shared memory")


if __name__ == "__main__":
    main()
