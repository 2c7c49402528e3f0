# SPDX-License-Identifier: Apache-2.0
"""The bars of "Tasks" that are about copying: what one address space is worth."""
import subprocess

from .campaign import Campaign
from .measures import Row, fraction, pairs_enough, worst_ratio

RINGS = tuple(f"ring of {kib} KiB" for kib in (16, 32, 64, 128))
KERNEL = ("process_vm_readv",)
HALOS = ("3d16_x", "3d64_x", "3d64_y", "3d64_z", "3d128_z", "2d1024_x", "2d1024_z")
KINDS = ("array", "buffered")
OF_LIMIT = 0.85
MOVES = ("1 MiB", "1 MiB, huge", "1 MiB, kept")
FACES = ("face of 4096, pitch 512", "face of 16384, pitch 1024", "face of 16384, pitch 4096")


def start_as_tasks(machine):
    """The words that start two tasks, or None where they do not work."""
    sode = machine.program("sode")
    if not sode:
        return None
    words = [sode, "run", "--space=tasks", "-n", "2"]
    try:
        works = subprocess.run([*words, "true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        works = False
    return words if works else None


def campaigns(machine):
    program = machine.program("bench_tasks")
    start = start_as_tasks(machine) if program else None
    def run(turns, *parts):
        return [([*start, program, "--turns", str(turns), "--parts", ",".join(parts)], {})] if start else []
    # Where the arrays come to lie differs from run to run and makes a difference of some per cent: few turns, many runs.
    halos = [pairs_enough("tasks", 2, HALOS, f"{kind}, tasks", ("near", "far"), (f"{kind}, segment",)) for kind in KINDS]
    return [Campaign("tasks", run(12, "moves", "faces"),
                     pairs_enough("tasks", 2, MOVES, "both", ("near", "far"), RINGS + KERNEL)),
            Campaign("tasks.halo", run(4, "halos"), lambda samples: all(enough(samples) for enough in halos))]


def rows():
    table = []
    for regime in ("near", "far"):
        bars = (5, 1.8) if regime == "near" else (None, None)
        for case in MOVES:
            kernel, ring = bars if case == "1 MiB" else (None, None)
            name = "tasks." + case.replace(" ", "").replace(",", ".")
            limit, tightest = (fraction("tasks", 2, case, "both", regime, one_core) for one_core in (False, True))
            must = OF_LIMIT if case == "1 MiB" and regime == "near" else None
            table.append(Row(f"{name}.process_vm_readv.{regime}", worst_ratio("tasks", 2, case, "both", regime, KERNEL), kernel,
                             campaign="tasks", limit=limit, limit_must=must, tightest=tightest))
            table.append(Row(f"{name}.ring.{regime}", worst_ratio("tasks", 2, case, "both", regime, RINGS), ring, campaign="tasks",
                             limit=limit, limit_row=False, tightest=tightest))
        for case in FACES:
            name = f"tasks.{case.replace(' of ', '.').replace(', pitch ', '.')}.huge"
            for other, memory in (("small", "small"), ("segment", "shared")):
                table.append(Row(f"{name}/{other}.{regime}", worst_ratio("tasks", 2, case, "huge", regime, (memory,)), campaign="tasks"))
        for case in HALOS:
            for kind in KINDS:
                table.append(Row(f"tasks.halo.{case}.{kind}.{regime}",
                                 worst_ratio("tasks", 2, case, f"{kind}, tasks", regime, (f"{kind}, segment",)), 1,
                                 campaign="tasks.halo"))
    return table
