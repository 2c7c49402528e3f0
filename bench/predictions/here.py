#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collectives of this machine that follow each other without a pause: what the evaluator says, and what they take, in memory that a rank has for itself.

No constant comes from a collective of Sode. A word and a byte from core to core: the round trips of a line, and bare copies of 16 and 64 KiB out of the other core's
cache (limit:pull), in the same minute. What one core does alone: as `sode tune` prints it, stored or not (of several files that name it, the last). Cores are near or far by turns on some machines: what
is seen first is predicted, and compared with samples that are like it. A rank needs a core of its own: the evaluator knows nothing of ranks that share one.

    sode tune --quick -o here.json > tuned.txt
    bench/predictions/here.py --sode build/release/bin/sode --bench build/release/bin/bench_collectives_openmpi --mpirun mpirun --profile here.json --tuned tuned.txt
"""
import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import tempfile

KINDS = {"barrier": "barrier", "bcast": "broadcast", "reduce": "reduce", "allreduce": "allreduce", "reduce_scatter": "reduce_scatter",
         "scan": "scan", "allgather": "allgather", "alltoall": "alltoall"}
CORE = ("local_byte", "local_byte_big")


def sampled(o, profile, *words):
    with tempfile.TemporaryDirectory() as folder:
        samples = os.path.join(folder, "samples.json")
        subprocess.run([*shlex.split(o.mpirun), "-n", str(o.ranks), "env", "SODE_PROFILE=" + profile, o.bench, "--turns", str(o.turns), "--json", samples, *words],
                       check=True, stdout=subprocess.DEVNULL)
        with open(samples, encoding="utf-8") as file:
            return json.load(file)


def of_one_core(o):
    """What `sode tune` has printed of it, if that is no built-in constant."""
    found = {}
    with open(o.tuned, encoding="utf-8") as file:
        for line in file:
            word = re.match(r"  (\w+) +([\d.e+-]+) +built in +([\d.e+-]+)", line)
            if word and word[1] in CORE and float(word[2]) != float(word[3]):
                found[word[1]] = float(word[2])
    return found


def constants(o):
    """The profile with them, and the class of pairs that was seen. `sode plan` takes what stands under "near"."""
    with open(o.profile, encoding="utf-8") as file:
        profile = json.load(file)
    report = sampled(o, "default", "--limits", "--only", "bcast", "--sizes", "16384,65536")
    pulls = [[s for s in case["samples"] if s["name"] == "limit:pull"] for case in report["cases"]]
    regime = statistics.mode([s["regime"] for samples in pulls for s in samples])
    short, long = (statistics.median([s["median_us"] for s in samples if s["regime"] == regime]) for samples in pulls)
    profile["near"]["flag"] = statistics.median([s["round_trip_ns"] for samples in pulls for s in samples if s["regime"] == regime]) / 2
    profile["near"]["stream_byte"] = (long - short) * 1000 / (65536 - 16384)
    profile.update(of_one_core(o))
    profile["engines"]["start"] = o.start
    profile["far"] = profile["near"] # ranks choose by them, however far they find each other
    return profile, regime


def predicted(o, operation, profile, folder):
    """[ns] and algorithm by size, as the model chooses. `sode plan` counts what is scattered as a whole, samples count it by rank."""
    rows = os.path.join(folder, "rows.json")
    whole = o.ranks if operation == "reduce_scatter" else 1
    sizes = ",".join(str(int(size) * whole) for size in o.sizes.split(","))
    subprocess.run([o.sode, "plan", "--collective", KINDS[operation], "--machines", "1", "--ranks", str(o.ranks), "--bytes", sizes,
                    "--profile", profile, "--json", rows], check=True, stdout=subprocess.DEVNULL)
    with open(rows, encoding="utf-8") as file:
        return {row["bytes"] // whole: (row["then"], row["algorithm"]) for row in json.load(file) if row["chosen"]}


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--sode", required=True)
    words.add_argument("--bench", required=True)
    words.add_argument("--mpirun", default="mpirun")
    words.add_argument("--profile", required=True)
    words.add_argument("--tuned", required=True, help="what `sode tune` has printed")
    words.add_argument("--ranks", type=int, default=2)
    words.add_argument("--turns", type=int, default=5)
    words.add_argument("--start", type=float, default=15, help="ns that start and wait of a plan without steps take")
    words.add_argument("--operations", default=",".join(KINDS))
    words.add_argument("--sizes", default="8,1024,16384,65536,1048576")
    words.add_argument("--json", help="write the rows to this file")
    o = words.parse_args()
    profile, regime = constants(o)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(profile, file)
        said = {operation: predicted(o, operation, path, folder) for operation in o.operations.split(",")}
        report = sampled(o, path, "--steps", "--only", o.operations, "--sizes", o.sizes)
    used = {"flag": profile["near"]["flag"], "stream_byte": profile["near"]["stream_byte"], **{name: profile[name] for name in CORE}, "start": o.start}
    print(f"{report['machine']['cpu']}, cores {regime}, nanoseconds: " + ", ".join(f"{name} {value:.3g}" for name, value in used.items()) + "\n")
    print("| operation | bytes | algorithm | predicted us | measured us | error |")
    print("|---|---:|---|---:|---:|---:|")
    rows = []
    for case in report["cases"]:
        words_of = case["case"].split()
        size = int(words_of[1]) if len(words_of) > 1 else 0
        predictions = said[words_of[0]]
        ns, algorithm = predictions[size] if size in predictions else min(predictions.values())
        samples = [s["row_us"] for s in case["samples"] if s["name"] == "own" and s["regime"] == regime]
        if not samples:
            print(f"| {words_of[0]} | {size} | {algorithm} | {ns / 1000:.3f} | unseen | |")
            continue
        us = statistics.median(samples)
        error = ns / 1000 / us - 1
        rows.append({"operation": words_of[0], "bytes": size, "algorithm": algorithm, "predicted_us": round(ns / 1000, 4), "measured_us": round(us, 4),
                     "samples": len(samples)})
        print(f"| {words_of[0]} | {size} | {algorithm} | {ns / 1000:.3f} | {us:.3f} | {100 * error:+.0f} % |")
    within = sum(abs(r["predicted_us"] / r["measured_us"] - 1) <= 0.3 for r in rows)
    print(f"\nwithin 30 %: {within} of {len(rows)} points")
    if o.json:
        with open(o.json, "w", encoding="utf-8") as file:
            json.dump({"cpu": report["machine"]["cpu"], "cores": regime, "ranks": o.ranks, "constants": used, "rows": rows}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
