# SPDX-License-Identifier: Apache-2.0
"""The bars of "Tasks" that are about programs as they are: what it takes to start them, and what becomes of an MPI's own latency."""
import os
import shlex
import statistics
import sys

from .campaign import ENOUGH, Campaign
from .machine import SETUPS
from .measures import Row, Value, times_enough
from .samples import median_interval
from .tasks import start_as_tasks

RACE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "task_race.py")
MPIS = {"openmpi": "vader", "mpich": "mpich"}  # the set-up that is fastest at 8 bytes
STARTS = ((64, 200), (1000, 3000))  # ranks, milliseconds


def campaigns(machine):
    works = start_as_tasks(machine)
    sode = machine.program("sode")
    found = []
    for mpi, name in MPIS.items():
        setup = next(s for s in SETUPS if s.name == name)
        command = machine.mpi_command(setup, 2, "bench_pingpong") if works else None
        commands = []
        if command:
            words = command[:-2]  # without the --setup of our benchmarks, which this program does not know
            commands = [([sys.executable, RACE, "latency", "--sode", sode, "--setup", mpi, "--pairs", "6", "--command", " ".join(map(shlex.quote, words))],
                         setup.environment)]
        found.append(Campaign(f"task-latency.{mpi}", commands, enough_pairs("task-latency", 2, mpi)))
    for ranks, _ in STARTS:
        commands = [([sys.executable, RACE, "start", "--sode", sode, "--ranks", str(ranks), "--pairs", "5"], {})] if works else []
        found.append(Campaign(f"task-start.{ranks}", commands, times_enough("task-start", ranks, "start", "tasks", ENOUGH)))
    return found


def differences(samples, program, ranks, case, setup):
    """tasks - processes of each pair, in nanoseconds."""
    where = (program, ranks, case, setup)
    pairs = zip(samples.times.get((*where, "tasks", "unprobed"), []), samples.times.get((*where, "processes", "unprobed"), []))
    return [1e3 * (mine - theirs) for mine, theirs in pairs]


def enough_pairs(program, ranks, setup):
    return lambda samples: len(differences(samples, program, ranks, "latency", setup)) >= ENOUGH


def extra_ns(setup):
    def measure(samples):
        found = differences(samples, "task-latency", 2, "latency", setup)
        if len(found) < 3:
            return Value()
        low, high = median_interval(found)
        return Value(statistics.median(found), f"{len(found)} [{low:.1f}, {high:.1f}]", low=low, high=high, pairs=len(found))
    return measure


def start_ms(ranks):
    def measure(samples):
        times = samples.times.get(("task-start", ranks, "start", "", "tasks", "unprobed"), [])
        if not times:
            return Value()
        low, high = median_interval(times)
        return Value(statistics.median(times) / 1e3, f"{len(times)} [{low / 1e3:.0f}, {high / 1e3:.0f}]", low=low / 1e3, high=high / 1e3,
                     pairs=len(times))
    return measure


def rows():
    table = [Row(f"tasks.pingpong8.{mpi}.extra-ns", extra_ns(mpi), 30, at_least=False, campaign=f"task-latency.{mpi}") for mpi in MPIS]
    table += [Row(f"tasks.start.{ranks}.ms", start_ms(ranks), must, at_least=False, campaign=f"task-start.{ranks}")
              for ranks, must in STARTS]
    return table
