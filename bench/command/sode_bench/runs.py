# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmark programs one after the other, and shows how far it is."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

from sode_bars.machine import SETUPS, setups_of


@dataclass
class Run:
    label: str
    setup: str
    command: list
    environment: dict
    limit_s: float = 300


class Progress:
    """A line that is rewritten on a terminal, a line for each tenth elsewhere, nothing if not wanted."""

    def __init__(self, quiet, out=sys.stderr):
        self.quiet = quiet
        self.out = out
        self.begin = time.monotonic()
        self.told = -1

    def show(self, share, text):
        if self.quiet:
            return
        spent = time.monotonic() - self.begin
        left = f", about {spent / share - spent:.0f} s left" if share > 0.02 else ""
        if self.out.isatty():
            bar = "#" * int(24 * share)
            self.out.write(f"\r\033[K[{bar:<24}] {share:4.0%}  {text}{left}")
        elif int(share * 10) > self.told:
            self.told = int(share * 10)
            self.out.write(f"{share:4.0%}  {text}{left}\n")
        self.out.flush()

    def end(self):
        if not self.quiet and self.out.isatty():
            self.out.write("\r\033[K")
            self.out.flush()


def setups_here(machine, program, wanted=None):
    """The set-ups whose MPI and program are here, in order; `wanted`: no others."""
    return [s for s in SETUPS if (s.name in wanted if wanted else s in setups_of(program)) and (not s.programs or program in s.programs)
            and machine.mpi_command(s, 1, program)]


def reason(output):
    """What the program, or Sode in it, said itself, once, if it did; what launchers say about it is long and the same for all errors."""
    lines = [line.strip() for line in output.splitlines() if line.strip(" -")]
    own = [line for line in lines if re.match(r"(bench_\w+, rank \d+|sode): ", line) or "wrong" in line]
    return own[0] if own else " / ".join(lines[-3:])


def end(job):
    """Launchers end their ranks if they are asked to, not if they are killed."""
    job.terminate()
    try:
        job.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        job.kill()


def run_one(run):
    """(report, None), or (None, why not)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        try:
            job = subprocess.Popen([*run.command, "--json", path], env={**os.environ, **run.environment}, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        except OSError as e:
            return None, str(e)
        with job:
            try:
                output, _ = job.communicate(timeout=run.limit_s)
            except subprocess.TimeoutExpired:
                end(job)
                return None, f"no end after {run.limit_s:g} s"
            except BaseException:
                end(job)
                raise
        if job.returncode != 0 or not os.path.exists(path):
            return None, f"exit status {job.returncode}: {reason(output)}"
        with open(path, encoding="utf-8") as file:
            return json.load(file), None


def run_all(runs, document, seconds, progress):
    """Over all runs again and again for `seconds`, at least once; 0: once. A run that fails is not repeated, and is told in the
    document. Interrupted: what there is until then."""
    begin = time.monotonic()
    failed = set()
    try:
        first = True
        while (first or time.monotonic() - begin < seconds) and len(failed) < len(runs):
            for i, run in enumerate(runs):
                spent = time.monotonic() - begin
                if not first and spent >= seconds:
                    break
                if i in failed:
                    continue
                shares = ([i / len(runs)] if first else []) + ([spent / seconds] if seconds else [])
                progress.show(min(shares), f"{run.setup}  {run.label}")
                report, problem = run_one(run)
                if problem:
                    failed.add(i)
                    document["skipped"].append({"setup": run.setup, "what": run.label, "why": problem})
                else:
                    document["reports"].append(report)
            first = False
    except KeyboardInterrupt:
        document["skipped"].append({"setup": "", "what": "the rest", "why": "interrupted"})
    finally:
        progress.end()
