# SPDX-License-Identifier: Apache-2.0
"""What the samples of `sode bench collectives` say: planned collectives against the best form of all MPIs and settings."""
import os
import re
import statistics

from .campaign import ENOUGH, Campaign, mpi_campaign
from .machine import SETUPS, setups_of
from .measures import FEWEST, Row, Value, ratio_value
from .samples import median_interval, picked

PROGRAM, LAYER, LEFT = "collectives", "collectives-layer", "collectives-left"  # left: to MPI, by who runs under the layer
OURS = ("own", "shared")  # memory of the program's own, and memory that the other ranks can load
THROUGH_LAYER = "layer blocking"
FORMS = ("blocking", "nonblocking", "persistent")
LIMITS = {"own": ("limit:lines", "limit:staged", "limit:staged-whole", "limit:staged-slices"), "shared": ("limit:lines", "limit:pull", "limit:slices")}
STEPS = ("init", "start", "wait", "free")


def size_of(case):
    """(operation, bytes of a rank)"""
    found = re.fullmatch(r"(\w+)(?: (\d+) B)?", case)
    return found.group(1), int(found.group(2) or 0)


def fractions(samples, ranks, case, ours, regime):
    """{limit: time of the limit / time of ours}: of bare flags and copies for memory of this kind."""
    return {limit: values for limit, values in samples.limits(PROGRAM, ranks, case, ours, regime).items() if limit in LIMITS[ours]}


OPERATIONS = ("barrier", "bcast", "reduce", "allreduce", "reduce_scatter", "scan", "allgather", "alltoall")
GROUPS = {"small": (8, 1024, 16384, 65536), "large": (262144, 1 << 20, 8 << 20)}  # bytes of a rank
MUST = {("shared", "small"): (2, 3), ("shared", "large"): (1.3, 1.6), ("own", "small"): (1.5, 2), ("own", "large"): (0.97, None)}
OF_LIMIT = 0.8
LAYER_CASES = ("barrier", "allreduce 8 B", "bcast 4096 B")
SETTINGS = tuple(s.name for s in setups_of("bench_collectives"))
CROWD = tuple(s.name for s in SETUPS if s.name in SETTINGS and s.mpi == "openmpi")  # who does not spin


def _enough(program, ranks, operation, ours, regimes):
    def enough(samples):
        found = {key: len(v) for key, v in samples.ratios.items() if key[:2] == (program, ranks) and size_of(key[2])[0] == operation and key[4] in ours}
        return {key[6] for key in found} >= set(regimes) and min(found.values()) >= ENOUGH
    return enough


def _campaign(machine, name, ranks, operation, sizes, words, setups, enough, environment=None):
    def made(some):
        return mpi_campaign(machine, name, "bench_collectives", ranks,
                            ["--only", operation, "--sizes", ",".join(str(n) for n in some), "--turns", "2", *words], setups, enough, environment)

    found = made(sizes)
    return Campaign(name, found.commands, enough, lambda cases: made([size_of(c)[1] or sizes[0] for c in cases]).commands)


def campaigns(machine):
    both = ("near", "far")
    found = []
    for operation in OPERATIONS:
        for group, sizes in GROUPS.items():
            if (operation, group) != ("barrier", "large"):
                found.append(_campaign(machine, f"collectives.{operation}.{group}", 2, operation, sizes, ["--limits", "--steps"], SETTINGS,
                                       _enough(PROGRAM, 2, operation, OURS, both)))
        found.append(_campaign(machine, f"collectives.{operation}.crowd", 16, operation, GROUPS["small"], [], CROWD,
                               _enough(PROGRAM, 16, operation, OURS, ("unprobed",))))
    for case in LAYER_CASES:
        operation, size = size_of(case)
        for program, environment in ((LAYER, {}), (LEFT, {"SODE_MPI_COLLECTIVES": "off"})):
            enough = _enough(program, 2, operation, (THROUGH_LAYER,), both)
            commands = []
            for setup in (s for s in SETUPS if s.name in SETTINGS):
                library = os.path.join(machine.layers, f"libsode-interpose-{setup.mpi}.so")
                words = ["--layer", "--name", program, "--only", operation, "--sizes", str(size or 8), "--turns", "6"]
                command = machine.mpi_command(setup, 2, "bench_collectives", *words, before=("env", f"LD_PRELOAD={library}"))
                if command and os.path.exists(library):
                    commands.append((command, {**setup.environment, **environment}))
            found.append(Campaign(f"{program}.{operation}", commands, enough))
    return found


def ratios(ranks, operation, ours, regime, sizes, rivals=None, program=PROGRAM):
    """Of each size: the best rival's median ratio."""
    def measure(samples):
        values = []
        for case in [operation] if operation == "barrier" else [f"{operation} {n} B" for n in sizes]:
            cells = {k: v for k, v in samples.cells(program, ranks, case, ours, regime, rivals).items() if len(v) >= FEWEST}
            if cells:
                best, found = picked(cells)
                values.append(ratio_value(found, f"{'/'.join(best)}, {len(cells)} rivals, fewest {min(len(v) for v in cells.values())}", case))
        return values
    return measure


def of_limits(ranks, operation, ours, regime, sizes):
    """Of each size: time of the fastest limit / ours."""
    def measure(samples):
        values = []
        for case in [operation] if operation == "barrier" else [f"{operation} {n} B" for n in sizes]:
            cells = {k: v for k, v in fractions(samples, ranks, case, ours, regime).items() if len(v) >= FEWEST}
            if cells:
                best, found = picked(cells)
                values.append(ratio_value(found, best, case))
        return values
    return measure


def part_ns(part, cases):
    """The slowest case's median, of whatever memory and set-up."""
    def measure(samples):
        values = []
        for case in cases:
            for ours in OURS:
                found = [1e3 * t for key, v in samples.parts.items() if key[:3] == (PROGRAM, 2, case) and key[4] == ours and key[5] == "near"
                         and key[6] == part for t in v]
                if len(found) >= FEWEST:
                    values.append(ratio_value(found, ours, case))
        return values
    return measure


def more_ns(regime):
    """What a call that MPI carries costs more through the layer, where that is most."""
    def measure(samples):
        values = []
        for key, found in samples.differences.items():
            if key[0] == LEFT and key[4:] == (THROUGH_LAYER, "blocking", regime) and len(found) >= FEWEST:
                low, high = median_interval(found)
                values.append(Value(1e3 * statistics.median(found), f"{len(found)} [{1e3 * low:.1f}, {1e3 * high:.1f}] {key[3]}", low=1e3 * low,
                                    high=1e3 * high, pairs=len(found), case=key[2]))
        return values
    return measure


def rows():
    table = []
    for (ours, group), (must, aim) in MUST.items():
        for operation in OPERATIONS:
            if (operation, group) == ("barrier", "large"):
                continue
            for regime in ("near", "far"):
                table.append(Row(f"collectives.{operation}.{ours}.{group}.{regime}", ratios(2, operation, ours, regime, GROUPS[group]), must, aim,
                                 campaign=f"collectives.{operation}.{group}", limit=of_limits(2, operation, ours, regime, GROUPS[group]),
                                 limit_must=OF_LIMIT))
    for operation in OPERATIONS:
        for ours in OURS:
            table.append(Row(f"collectives.{operation}.{ours}.16-ranks", ratios(16, operation, ours, "unprobed", GROUPS["small"]), 1.5,
                             campaign=f"collectives.{operation}.crowd"))
    for case in LAYER_CASES:
        operation, size = size_of(case)
        for regime in ("near", "far"):
            table.append(Row(f"collectives.layer.{operation}.{regime}",
                             ratios(2, operation, THROUGH_LAYER, regime, (size,), ("blocking",), LAYER), 1.5, 2,
                             campaign=f"{LAYER}.{operation}"))
    table += [Row(f"collectives.layer.left-to-mpi.ns.{regime}", more_ns(regime), 20, at_least=False,
                  campaign=tuple(f"{LEFT}.{size_of(c)[0]}" for c in LAYER_CASES)) for regime in ("near", "far")]
    table.append(Row("collectives.start.ns", part_ns("start_us", ("barrier", "allreduce 8 B")), 150, at_least=False,
                     campaign=("collectives.barrier.small", "collectives.allreduce.small")))
    table.append(Row("collectives.init.ns", part_ns("init_us", ("barrier", "allreduce 8 B", "bcast 8 B", "alltoall 8 B")), 20000, at_least=False,
                     campaign=tuple(f"collectives.{o}.small" for o in ("barrier", "allreduce", "bcast", "alltoall"))))
    return table
