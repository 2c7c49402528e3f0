# SPDX-License-Identifier: Apache-2.0
"""`sode bench halo`: which cases, and how they are run."""
import math
import re

from sode_bars.reference import REFERENCE

from .runs import Run

CASE = re.compile(r"[23]d[1-9]\d*(_(per|[hf][1-9]\d*|[xyz]|[1-9]{3}))+")
QUICK_STYLES = ("packed-isend", "packed-persistent", "struct-persistent", "neighbor-peer", "window-messages")
FEWEST_BYTES_FREE = 0.25  # of the memory that is there now


def balanced(ranks):
    """Three factors, as equal as they get, the largest first."""
    triples = [(a, b, ranks // a // b) for a in range(1, ranks + 1) if ranks % a == 0
               for b in range(1, ranks // a + 1) if ranks // a % b == 0]
    return min((t for t in triples if t[0] >= t[1] >= t[2]), key=max)


def all_cases(ranks):
    """Every size with x, y and z faces: plain, fully periodic, three layers, eight fields; in two dimensions x and z faces. More ranks
    than two: balanced blocks as well, where a digit a dimension can say them."""
    faces = ["x", "y", "z"]
    if ranks > 2 and max(balanced(ranks)) < 10:
        faces.append("".join(str(n) for n in balanced(ranks)))
    found = [f"3d{n}{kind}_{face}{per}" for n in (64, 128, 256) for kind, per in (("", ""), ("", "_per"), ("_h3", ""), ("_f8", ""))
             for face in faces]
    found += [f"2d{n}_{face}" for n in (64, 1024, 8192) for face in ("x", "z")]
    return found + ([case for case in REFERENCE["two-sided"] if case not in found] if ranks == 2 else [])


def quick_cases(ranks):
    corner = "" if ranks == 2 or max(balanced(ranks)) > 9 else "".join(str(n) for n in balanced(ranks))
    return ["3d64_x", "3d64_y", "3d64_z", "3d128_x", "3d128_y", "2d64_x", "2d1024_x", "2d1024_z"] + ([f"3d64_{corner}"] if corner else [])


def bytes_needed(case, ranks):
    """Of memory, about: fields of `array`, twice `buffered`'s (up to six fields), the rivals' own, and two windows."""
    dims, *words = case.split("_")
    width = next((int(w[1:]) for w in words if w[0] == "h" and w[1:].isdigit()), 1)
    fields = next((int(w[1:]) for w in words if w[0] == "f" and w[1:].isdigit()), 1)
    elements = math.prod([int(dims[2:]) + 2 * width] * int(dims[0]))
    return elements * 8 * fields * (4 if fields > 6 else 6) * ranks


def available_bytes():
    with open("/proc/meminfo", encoding="ascii") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


def runs(machine, setups, ranks, cases, styles, turns, together, document):
    """A run for every `together` cases and set-up: what fails takes no more than those with it."""
    room = available_bytes() * (1 - FEWEST_BYTES_FREE)
    found, fitting = [], []
    for case in cases:
        if bytes_needed(case, ranks) > room:
            document["skipped"].append({"setup": "", "what": case, "why": f"needs {bytes_needed(case, ranks) / 2**30:.1f} GiB of memory, "
                                                                          f"{room / 2**30:.1f} are free for it"})
            continue
        fitting.append(case)
    for at in range(0, len(fitting), together):
        batch = ",".join(fitting[at:at + together])
        for setup in setups:
            arguments = ["--cases", batch, "--turns", str(turns)] + (["--styles", ",".join(styles)] if styles else [])
            command = machine.mpi_command(setup, ranks, "bench_halo", *arguments)
            found.append(Run(batch, setup.name, command, setup.environment))
    return found
