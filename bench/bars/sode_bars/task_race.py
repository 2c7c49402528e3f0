#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one program as processes and as tasks, in turn, and writes the times as the benchmarks do.

    task_race.py latency --sode SODE --json FILE --command "LAUNCHER... PROGRAM"    what the program says, in nanoseconds
    task_race.py start   --sode SODE --json FILE --ranks N                          how long a job of `true` takes
"""
import argparse
import json
import shlex
import subprocess
import sys
import time

LIMIT_S = 60


def run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def latency_us(command):
    return float(run(command).split()[-1]) / 1e3


def seconds_us(command):
    begun = time.perf_counter()
    run(command)
    return (time.perf_counter() - begun) * 1e6


def main():
    options = argparse.ArgumentParser()
    options.add_argument("what", choices=("latency", "start"))
    options.add_argument("--pairs", type=int, default=5)
    options.add_argument("--ranks", type=int, default=2)
    options.add_argument("--setup", default="")
    options.add_argument("--sode", required=True)
    options.add_argument("--json", required=True)
    options.add_argument("--command", type=shlex.split, help="how an MPI's launcher starts the program, which is the last word")
    o = options.parse_args()

    if o.what == "latency":
        launch, program = o.command[:-1], o.command[-1]
        commands = {"processes": [*launch, program], "tasks": [*launch, o.sode, "task", program]}
        measure = latency_us
    else:
        commands = {space: [o.sode, "run", f"--space={space}", "-n", str(o.ranks), "true"] for space in ("processes", "tasks")}
        measure = seconds_us
    samples = []
    for turn in range(o.pairs):
        names = list(commands) if turn % 2 == 0 else list(commands)[::-1]  # neither is always the second
        samples += [{"turn": turn, "name": n, "regime": "unprobed", "median_us": measure(commands[n])} for n in names]
    with open(o.json, "w", encoding="utf-8") as file:
        json.dump({"program": f"task-{o.what}", "ranks": o.ranks, "setup": o.setup, "ours": ["tasks"],
                   "cases": [{"case": o.what, "samples": samples}]}, file)


if __name__ == "__main__":
    main()
