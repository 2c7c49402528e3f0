# SPDX-License-Identifier: Apache-2.0
"""The results of `sode bench collectives` as text."""
from . import collectives
from .collectives import LAYER, OURS, PROGRAM, THROUGH_LAYER
from .names import bytes_text, time_text
from .results import REGIME_TEXT

MEMORY = {"own": "memory of the program's own", "shared": "memory that the other ranks can load"}


def label(case):
    operation, size = collectives.size_of(case)
    return f"{operation} {bytes_text(size)}" if size else operation


def table(results):
    lines = []
    for regime in results.regimes(PROGRAM):
        found = collectives.cells(results, regime)
        for ranks in sorted({c.ranks for c in found}):
            for ours in OURS:
                lines += against([c for c in found if c.ranks == ranks and c.ours == ours],
                                 f"Collectives of {ranks} ranks, {MEMORY[ours]}, {REGIME_TEXT[regime]}: start and wait", "fraction of the limit")
        lines += parts(results, regime, PROGRAM, (*OURS, "persistent")) + hidden(results, regime)
    for regime in results.regimes(LAYER):
        found = collectives.cells(results, regime, LAYER)
        for ranks in sorted({c.ranks for c in found}):
            for ours in THROUGH_LAYER:
                lines += against([c for c in found if c.ranks == ranks and c.ours == ours],
                                 f"MPI's {ours.split()[1]} collectives of {ranks} ranks through the layer, {REGIME_TEXT[regime]}", "")
        lines += parts(results, regime, LAYER, ("layer persistent", "persistent"))
    return lines


def against(found, title, last):
    if not found:
        return []
    lines = ["", title, f"{'':<24}{'ours':>10}   {'best rival':<38}{'ratio':>6} {'[95 %]':<16}{'pairs':>5}  {last}".rstrip()]
    for c in found:
        rival = f"{c.best.setup}/{c.best.style} {time_text(c.best.us)}" if c.best else ""
        ratio = f"{c.best.ratio:>6.2f} {f'[{c.best.low:.2f}, {c.best.high:.2f}]':<16}{c.best.pairs:>5}" if c.best else ""
        fraction = f"  {c.fraction:.2f}" if c.fraction is not None else ""
        lines.append(f"{label(c.case):<24}{time_text(c.us):>10}   {rival:<38}{ratio}{fraction}".rstrip())
    means = collectives.mean(found, found[0].ours, found[0].ranks)
    return lines + ([f"  geometric mean of {means[1]} cases: {means[0]:.2f}"] if means else [])


def parts(results, regime, program, who):
    """init, start, wait and free by themselves."""
    rows = []
    for (ranks, case), names in collectives.steps(results, regime, program).items():
        for name in who:
            if name in names:
                rows.append(f"{label(case) + (f' ({ranks})' if ranks != 2 else ''):<24}{name:<18}"
                            + "".join(f"{time_text(names[name].get(step, 0)):>12}" for step in collectives.STEPS))
    return ["", f"Its parts, {REGIME_TEXT[regime]}; persistent: all MPIs and settings together",
            f"{'':<24}{'':<18}" + "".join(f"{step:>12}" for step in collectives.STEPS), *rows] if rows else []


def hidden(results, regime):
    """How much work between start and wait hides."""
    rows = [f"{label(case) + (f' ({ranks})' if ranks != 2 else ''):<24}{name:<14}{compute:>10.0%}{memory:>10.0%}"
            for (ranks, case), names in collectives.overlaps(results, regime).items() for name, (compute, memory) in names.items()]
    return ["", f"Hidden behind work between start and wait, {REGIME_TEXT[regime]}", f"{'':<38}{'computing':>10}{'streaming':>10}", *rows] if rows else []
