# SPDX-License-Identifier: Apache-2.0
"""How an unmodified MPI program is started under Sode's layer for derived datatypes."""
import os
import shlex
import subprocess

NAMES = ("task", "preload", "none")


def library(machine, mpi):
    """The interposition library for an MPI; None if it is not here."""
    path = os.path.join(machine.layers, f"libsode-interpose-{mpi}.so")
    return path if os.path.exists(path) else None


def command_word(machine):
    """The `sode` command beside the benchmarks, or installed."""
    for path in ("sode", "../../bin/sode"):
        found = os.path.normpath(os.path.join(machine.bin, path))
        if os.access(found, os.X_OK):
            return found
    return None


def tasks_work(machine):
    """Whether `sode task` starts a program here."""
    sode = command_word(machine)
    if not sode:
        return False
    try:
        return subprocess.run([sode, "task", "true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def prefix(machine, mpi, layer=None, words=None):
    """(its name, the words before the program), or None where there is no layer. `layer`: one of NAMES, or None: the best that is here.
    `words`: these instead."""
    if words:
        return "chosen", shlex.split(words)
    lib = library(machine, mpi)
    if layer == "none" or not lib:
        return None
    preload = ["env", f"LD_PRELOAD={lib}"]
    if layer == "preload" or (layer is None and not tasks_work(machine)):
        return "preload", preload
    return "task", [*preload, command_word(machine) or "sode", "task"]
