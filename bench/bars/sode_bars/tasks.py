# SPDX-License-Identifier: Apache-2.0
"""The bars of "Tasks" that are about copying: what one address space is worth."""
import subprocess

from .campaign import Campaign
from .measures import Row, pairs_enough, worst_ratio

RINGS = tuple(f"ring of {kib} KiB" for kib in (16, 32, 64, 128))
KERNEL = ("process_vm_readv",)
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
    return [Campaign("tasks", [([*start, program, "--turns", "12"], {})] if start else [],
                     pairs_enough("tasks", 2, ["1 MiB", "1 MiB, kept"], "both", ("near", "far"), RINGS + KERNEL))]


def rows():
    table = []
    for regime in ("near", "far"):
        bars = (5, 1.8) if regime == "near" else (None, None)
        for case, (kernel, ring) in (("1 MiB", bars), ("1 MiB, kept", (None, None))):
            name = "tasks." + case.replace(" ", "").replace(",", ".")
            table.append(Row(f"{name}.process_vm_readv.{regime}", worst_ratio("tasks", 2, case, "both", regime, KERNEL), kernel,
                             campaign="tasks"))
            table.append(Row(f"{name}.ring.{regime}", worst_ratio("tasks", 2, case, "both", regime, RINGS), ring, campaign="tasks"))
        for case in FACES:
            table.append(Row(f"tasks.{case.replace(' of ', '.').replace(', pitch ', '.')}.huge/segment.{regime}",
                             worst_ratio("tasks", 2, case, "huge", regime, ("shared",)), campaign="tasks"))
    return table
