# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmark programs, again and again, until there are samples enough or time is over."""
import json
import os
import subprocess
import sys
import tempfile
import time

from .machine import SETUPS

ENOUGH = 30  # pairs in every cell: identical code differs by 20 % here, fewer say nothing
LIMIT_S = 300  # of one run: half a gigabyte of fields takes its time


class Campaign:
    """Programs that are run together once a pass. `enough(samples)` says when to stop. `narrow(cases)`: the commands for those cases
    alone."""

    def __init__(self, name, commands, enough, narrow=None):
        self.name = name
        self.commands = commands
        self.enough = enough
        self.narrow = narrow
        self.failure = None

    def again(self, cases, enough):
        """The same for some of its cases, or all."""
        commands = self.narrow(cases) if self.commands and self.narrow and cases else self.commands
        return Campaign(self.name, commands, enough)

    def run_once(self, samples):
        for command, environment in self.commands:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "report.json")
                try:
                    done = subprocess.run([*command, "--json", path], env={**os.environ, **environment}, timeout=LIMIT_S,
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
                except subprocess.TimeoutExpired:
                    self.failure = f"{' '.join(command)}: no end after {LIMIT_S} s"
                    return
                if done.returncode != 0 or not os.path.exists(path):
                    self.failure = f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout[-2000:]}"
                    return
                with open(path, encoding="utf-8") as file:
                    document = json.load(file)
                for report in document.get("reports", [document]):  # `sode bench` writes several in one document
                    samples.add(report)


def mpi_campaign(machine, name, program, ranks, arguments, setups, enough, environment=None):
    def commands(words):
        found = []
        for setup in SETUPS:
            if setup.name in setups:
                command = machine.mpi_command(setup, ranks, program, *words)
                if command:
                    found.append((command, {**setup.environment, **(environment or {})}))
        return found

    if "--cases" not in arguments:
        return Campaign(name, commands(arguments), enough)
    at = list(arguments).index("--cases") + 1
    return Campaign(name, commands(arguments), enough, lambda cases: commands([*arguments[:at], ",".join(cases), *arguments[at + 1:]]))


def plain_campaign(machine, name, program, arguments, enough):
    path = machine.program(program)
    return Campaign(name, [([path, *arguments], {})] if path else [], enough)


def run_all(campaigns, samples, minutes, log):
    """Round robin, so that every campaign gets its chance at either regime, which lasts some tens of seconds."""
    end = time.monotonic() + 60 * minutes
    passes = 0
    while time.monotonic() < end:
        active = [c for c in campaigns if c.commands and not c.failure and not c.enough(samples)]
        if not active:
            break
        passes += 1
        for c in active:
            if time.monotonic() >= end and passes > 1:
                break
            log(f"pass {passes}: {c.name}")
            c.run_once(samples)
            if c.failure:
                print(c.failure, file=sys.stderr)
    return passes
