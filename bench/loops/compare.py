#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs bench_loops_MPI with and without the MPI layer, in turn, and prints what each case takes without it divided by what it takes with it.

    compare.py --layer libsode-interpose-openmpi.so --pairs 10 -- mpirun -n 2 ./bench_loops_openmpi --only allreduce
"""
import argparse
import collections
import json
import os
import random
import statistics
import subprocess
import sys


def one_run(command, layer):
    """The microseconds of each case, and the round trips that were seen."""
    environment = dict(os.environ)
    if layer:  # of the ranks, not of mpirun
        command = command[:]
        at = next(i for i, word in enumerate(command) if os.path.basename(word).startswith("bench_loops"))
        command[at:at] = ["env", "LD_PRELOAD=" + layer]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    times, trips = {}, []
    for line in done.stdout.splitlines():
        words = line.split()
        if words[:1] == ["round_trip"]:
            trips.append(float(words[1]))
        elif len(words) == 5:
            times[tuple(words[:4])] = float(words[4])
    return times, trips


def interval(ratios, seed=1):
    """95 % of the medians of samples drawn from these."""
    draw = random.Random(seed)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(1000))
    return medians[25], medians[974]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layer", required=True)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--below", type=float, default=float("inf"), help="print only ratios below this")
    parser.add_argument("--json", help="write all times to this file")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    layer = os.path.abspath(arguments.layer)
    alone, layered = collections.defaultdict(list), collections.defaultdict(list)
    trips = []
    for pair in range(arguments.pairs):
        for with_layer in (False, True) if pair % 2 == 0 else (True, False):
            times, seen = one_run(command, layer if with_layer else None)
            trips += [] if with_layer else seen
            for case, us in times.items():
                (layered if with_layer else alone)[case].append(us)
    if arguments.json:
        rows = [{"case": case, "alone": alone[case], "layer": layered[case]} for case in alone]
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"command": command, "round_trips": trips, "cases": rows}, file)
    print("round trips of the MPI alone, us:", " ".join(f"{t:.2f}" for t in trips))
    for case in alone:
        ratios = [a / b for a, b in zip(alone[case], layered[case])]
        middle = statistics.median(ratios)
        if middle >= arguments.below:
            continue
        low, high = interval(ratios)
        print(f"{' '.join(case):48} {statistics.median(alone[case]):10.2f} {statistics.median(layered[case]):10.2f}"
              f"   {middle:5.2f}  {low:.2f} to {high:.2f}")


if __name__ == "__main__":
    sys.exit(main())
