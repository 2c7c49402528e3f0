#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collectives of this machine that follow each other without a pause: what the evaluator says, and what they take, in memory that a rank has for itself.

No constant comes from a collective of Sode: bench_cores measures words and copies from core to core, copies of one core, and how long a core takes from one process to the
next. Cores are near or far by turns on some machines: each distance that is seen has constants, predictions and samples of its own. Of two ranks, the benchmark says of each
sample how far they were; of more ranks, bench_cores must say the same before and after an operation, else it does not count.

    bench/predictions/here.py --sode build/release/bin/sode --bench build/release/bin/bench_collectives_openmpi --probe build/release/bin/bench_cores --mpirun mpirun
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
OF_A_PAIR = ("flag", "stream_byte", "reclaim_byte")
OF_A_CORE = ("local_byte", "local_byte_big", "core_cache_bytes")
PAGES = 64


def probed(o):
    sharing = str(max(2, (o.ranks + o.cores - 1) // o.cores))
    return json.loads(subprocess.run([o.probe, sharing, str(o.pages)], check=True, capture_output=True, text=True).stdout)


def sampled(o, profile, operations):
    with tempfile.TemporaryDirectory() as folder:
        samples = os.path.join(folder, "samples.json")
        subprocess.run([*shlex.split(o.mpirun), "-n", str(o.ranks), "env", "SODE_PROFILE=" + profile, o.bench, "--turns", str(o.turns), "--steps", "--only", operations,
                        "--sizes", o.sizes, "--json", samples], check=True, stdout=subprocess.DEVNULL)
        with open(samples, encoding="utf-8") as file:
            return json.load(file)


def profile_of(constants):
    """`sode plan` takes what stands under "near"; ranks choose by it, however far they find each other."""
    pair = {name: constants[name] for name in OF_A_PAIR}
    return {"near": pair, "far": pair, **{name: constants[name] for name in OF_A_CORE},
            "engines": {"start": constants["start"], "yield": constants["yield"]}}


def written(profile, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(profile, file)
    return path


def predicted(sode, ranks, cores, operation, sizes, profile, folder):
    """[ns] by size and algorithm, and which algorithm the model chooses. `sode plan` counts what is scattered as a whole, samples count it by rank."""
    rows = os.path.join(folder, "rows.json")
    whole = ranks if operation == "reduce_scatter" else 1
    subprocess.run([sode, "plan", "--collective", KINDS[operation], "--machines", "1", "--ranks", str(ranks), "--cores", str(cores), "--bytes",
                    ",".join(str(size * whole) for size in sizes), "--profile", profile, "--json", rows], check=True, stdout=subprocess.DEVNULL)
    with open(rows, encoding="utf-8") as file:
        found = json.load(file)
    return ({(row["bytes"] // whole, row["algorithm"]): row["then"] for row in found},
            {row["bytes"] // whole: row["algorithm"] for row in found if row["chosen"]})


class Distance:
    """What is known of cores that are so far apart: constants, a profile of them, predictions, and samples by case."""

    def __init__(self, o, first, folder):
        seen = [first] + [s for s in (probed(o) for _ in range(4)) if s["regime"] == first["regime"]]
        self.constants = {name: statistics.median_low(s[name] for s in seen) for name in (*OF_A_PAIR, *OF_A_CORE, "yield")}
        self.constants |= {"start": o.start, "pages": o.pages}
        self.profile = written(profile_of(self.constants), os.path.join(folder, first["regime"] + ".json"))
        sizes = [int(size) for size in o.sizes.split(",")]
        self.said = {operation: predicted(o.sode, o.ranks, o.cores, operation, [0] if operation == "barrier" else sizes, self.profile, folder)
                     for operation in o.operations.split(",")}
        self.samples = {}

    def add(self, report, regime):
        self.cpu = report["machine"]["cpu"]
        for case in report["cases"]:
            self.samples.setdefault(case["case"], []).extend(s["row_us"] for s in case["samples"] if s["name"] == "own" and s["regime"] in (regime, "unprobed"))

    def rows(self):
        return [row_of(name.removesuffix(" B"), self.said[name.split()[0]], us) for name, us in self.samples.items() if us]


def row_of(name, predictions, samples):
    operation, *size = name.split()
    size = int(size[0]) if size else 0
    times, chosen = predictions
    algorithm = chosen[size]
    ns = times[size, algorithm]
    us = sorted(samples)
    low, high = us[len(us) // 10], us[-1 - len(us) // 10]
    return {"operation": operation, "bytes": size, "algorithm": algorithm, "predicted_us": round(ns / 1000, 4), "measured_us": round(statistics.median(us), 4),
            "from_us": round(low, 4), "to_us": round(high, 4), "samples": len(us), "constants": 0}


def in_words(r):
    error = 100 * (r["predicted_us"] / r["measured_us"] - 1)
    return (f"| {r['operation']} | {r['bytes']} | {r['algorithm']} | {r['predicted_us']:.3f} | {r['measured_us']:.3f} | {r['from_us']:.3f} to {r['to_us']:.3f} | "
            f"{error:+.0f} % |")


def within(rows):
    return sum(abs(r["predicted_us"] / r["measured_us"] - 1) <= 0.3 for r in rows)


HEAD = ["| operation | bytes | algorithm | predicted us | measured us | interval us | error |", "|---|---:|---|---:|---:|---:|---:|"]


def table(found):
    return [*HEAD, *map(in_words, found["rows"])]


def heading(name, found):
    """The line above the table of a file in docs/predictions.md."""
    return (f"{found['ranks']} ranks, {found['cores']} cores, [{name}](../bench/predictions/{name}): {within(found['rows'])} of {len(found['rows'])} predictions have an "
            "error of at most 30 %.")


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def again(sode, found):
    """The rows, predicted by the constants that the file has for each, and by the algorithm that was measured."""
    with tempfile.TemporaryDirectory() as folder:
        times = {}
        for n, constants in enumerate(found["constants"]):
            profile = written(profile_of(constants), os.path.join(folder, "profile.json"))
            of_these = [r for r in found["rows"] if r["constants"] == n]
            for operation in sorted({r["operation"] for r in of_these}):
                sizes = [r["bytes"] for r in of_these if r["operation"] == operation]
                said, _ = predicted(sode, found["ranks"], found["of_cores"], operation, sizes, profile, folder)
                times |= {(operation, size, algorithm, n): ns for (size, algorithm), ns in said.items()}
        return [r | {"predicted_us": round(times[r["operation"], r["bytes"], r["algorithm"], r["constants"]] / 1000, 4)} for r in found["rows"]]


def put(page, name, found):
    """Writes the heading and the table of a file anew, where the page has them."""
    with open(page, encoding="utf-8") as file:
        lines = file.read().split("\n")
    at = next(n for n, line in enumerate(lines) if f"[{name}](" in line)
    end = at + 2
    while lines[end].startswith("|"):
        end += 1
    lines[at:end] = [heading(name, found), "", *table(found)]
    with open(page, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def keep(path, found):
    """Rows that an earlier run has written stay: cores may be so far apart for too short a time to see all. Each row is predicted by the constants of its own run."""
    if os.path.exists(path):
        before = read(path)
        there = {(r["operation"], r["bytes"]) for r in before["rows"]}
        for r in found["rows"]:
            r["constants"] += len(before["constants"])
        found["constants"] = before["constants"] + found["constants"]
        found["rows"] = before["rows"] + [r for r in found["rows"] if (r["operation"], r["bytes"]) not in there]
    found["rows"].sort(key=lambda r: (list(KINDS).index(r["operation"]), r["bytes"]))
    save(path, found)


def save(path, found):
    """One line for each row."""
    text = json.dumps(found, indent=1)
    for part in [*found["rows"], *found["constants"]]:
        text = text.replace(json.dumps(part, indent=1).replace("\n", "\n  "), json.dumps(part))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + "\n")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--sode", required=True)
    words.add_argument("--bench")
    words.add_argument("--probe", help="bench_cores")
    words.add_argument("--mpirun", default="mpirun")
    words.add_argument("--ranks", type=int, default=2)
    words.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)), help="of this machine")
    words.add_argument("--turns", type=int, default=5, help="samples of an operation in a run")
    words.add_argument("--runs", type=int, default=1)
    words.add_argument("--start", type=float, default=15, help="ns that start and wait of a plan without steps take")
    words.add_argument("--pages", type=int, default=PAGES, help="that a rank touches at its turn")
    words.add_argument("--operations", default=",".join(KINDS))
    words.add_argument("--sizes", default="8,1024,16384,65536,1048576")
    words.add_argument("--json", help="write the rows to files that begin like this, one for each distance; rows that are there stay")
    words.add_argument("--again", nargs="+", metavar="FILE", help="measure nothing: predict the rows of these files anew, by their constants, and write them")
    words.add_argument("--page", help="with --again: the page that has their tables, docs/predictions.md")
    o = words.parse_args()
    for path in o.again or ():
        found = read(path)
        found["rows"] = again(o.sode, found)
        save(path, found)
        name = os.path.basename(path)
        print(heading(name, found))
        if o.page:
            put(o.page, name, found)
    if o.again:
        return
    if not o.bench or not o.probe:
        words.error("--bench and --probe are missing (nothing can be measured)")
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for operation in o.runs * o.operations.split(","):
            before = probed(o)
            regime = before["regime"]
            if regime not in ("near", "far"):
                continue
            if regime not in found:
                found[regime] = Distance(o, before, folder)
            report = sampled(o, found[regime].profile, operation)
            if o.ranks == 2 or probed(o)["regime"] == regime:
                found[regime].add(report, regime)
    for regime, at in found.items():
        rows = at.rows()
        if not rows:
            continue
        run = {"cpu": at.cpu, "cores": regime, "ranks": o.ranks, "of_cores": o.cores, "constants": [at.constants], "rows": rows}
        print(f"\n{at.cpu}, {o.ranks} ranks, {o.cores} cores, {regime}, nanoseconds: " + ", ".join(f"{name} {value:.3g}" for name, value in at.constants.items()) + "\n")
        print("\n".join(table(run)))
        print(f"\nwithin 30 %: {within(rows)} of {len(rows)} points")
        if o.json:
            keep(f"{o.json}_{regime}.json", run)


if __name__ == "__main__":
    main()
