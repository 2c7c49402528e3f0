# SPDX-License-Identifier: Apache-2.0
"""The results of `sode bench datatypes` as text."""
import statistics

from .messages import (KEPT, PROGRAM, PROGRAMS, RIVALS, application_rows, cases, compared, cost_cases, costs, fastest, first_uses, headline,
                       is_application, is_pattern, means)
from .names import time_text
from .results import REGIME_TEXT

PAPER_SETUPS = ("vader", "vader-eager", "vader-frag-4", "vader-frag-16", "vader-frag-32", "vader-frag-64")
# What the paper reached: time of its rival / its time, where it tells a number.
PAPER = (("nas_mg_x_2048", "0.77 to 0.83; eager 0.63 to 0.83"), ("nas_mg_x_32768", "0.77 to 0.83; eager 1.1 to 5"),
         ("lammps_full_106368", "2.3"), ("app_fft2d_268435456", "1.21; eager 1.27 (9600², 240 ranks)"),
         ("app_wavefront_20971520", "1.04 to 1.06 (LU, 128 ranks)"))
DATA = {PROGRAM: "rewritten before every round", KEPT: "never rewritten"}


def table(results):
    lines = []
    for program in PROGRAMS:
        for regime in results.regimes(program):
            lines += patterns(results, program, regime)
    for regime in results.regimes(PROGRAM):
        lines += applications(results, regime) + extra_costs(results, regime)
    return lines + [line for regime in results.regimes(PROGRAM) for line in beside_paper(results, regime)]


def beside_paper(results, regime):
    """Paper P1's numbers, and ours against the same settings of its rival, where these were measured."""
    ours = headline(results, PROGRAM, regime)
    rows = [row for case, said in (PAPER if ours else ()) if (row := paper_row(results, regime, ours, case, said))]
    if not rows:
        return []
    return ["", f"Beside paper P1 (Xeon Phi 5110P, Open MPI 1.8), {REGIME_TEXT[regime]}: MPI's datatypes / \"{ours}\"",
            f"{'case':<24}{'the paper':<34}" + "".join(f"{s.removeprefix('vader-'):>10}" for s in PAPER_SETUPS), *rows]


def paper_row(results, regime, ours, case, said):
    found = results.samples.cells(PROGRAM, 2, case, ours, regime, ("datatypes",))
    ratios = [statistics.median(found[(s, "datatypes")]) if (s, "datatypes") in found else None for s in PAPER_SETUPS]
    if not any(r for s, r in zip(PAPER_SETUPS, ratios) if s != "vader"):
        return None
    return (f"{case:<24}{said:<34}" + "".join(f"{f'{r:.2f}' if r else '':>10}" for r in ratios)).rstrip()


def patterns(results, program, regime):
    ours = headline(results, program, regime)
    rows = [row for case in cases(results, program) if not is_application(case) and (is_pattern(case) or not ours)
            and (row := case_row(results, program, case, regime, ours))]
    if not rows:
        return []
    lines = ["", f"Messages, data {DATA[program]}, {REGIME_TEXT[regime]}: time of a ping-pong"
             + (f"; ours is \"{ours}\", and ratios are best rival / ours" if ours else "; Sode's layer was not measured"),
             f"{'case':<24}{'ours':>10}   {RIVALS[0][1]:<24}{'ratio':>7}   {RIVALS[1][1]:<24}{'ratio':>7}{'first uses':>12}"]
    lines += rows
    if ours:
        lines += [f"  geometric mean of {count} cases: {mean:.2f} × {name}" for method, name in RIVALS
                  for mean, count in [means(results, program, regime, ours).get(method, (0, 0))] if count]
    return lines


def case_row(results, program, case, regime, ours):
    mine = results.times_of(program, 2, case, regime, ours) if ours else []
    row = f"{case:<24}{time_text(statistics.median(mine)) if mine else '':>10}   "
    told = False
    for method, _ in RIVALS:
        best = compared(results, program, case, regime, ours, method) if ours else None
        rival = (best.us, best.setup) if best else fastest(results, program, case, regime, method)
        told = told or rival is not None
        row += f"{f'{rival[1]} {time_text(rival[0])}' if rival else '':<24}{f'{best.ratio:.2f}' if best else '':>7}   "
    first = first_uses(results, case, regime, ours) if ours and program == PROGRAM else None
    return (row + (f"{first[0]:>9.2f}×" if first else "")).rstrip() if told else None


def applications(results, regime):
    lines = []
    for case, cells in application_rows(results, regime, headline(results, PROGRAM, regime)):
        told = [f"{words} {time_text(us)}" + (f" ({100 * share:.0f} % communication)" if share is not None else "")
                + (f", {ratio:.2f} × ours" if ratio else "") for words, us, share, ratio in cells]
        lines.append(f"{case:<26}" + "; ".join(told))
    return ["", f"Applications, {REGIME_TEXT[regime]}: time of a run", *lines] if lines else []


def extra_costs(results, regime):
    rows = [(case, *cost) for case in cost_cases(results) for cost in costs(results, case, regime)]
    if not rows:
        return []
    return ["", f"What a message costs more under Sode, {REGIME_TEXT[regime]}: nanoseconds, [95 %], pairs"] + \
        [f"{case:<24}{setup:<10}{ns:>9.1f}  [{low:.1f}, {high:.1f}] {pairs}" for case, setup, ns, (low, high), pairs in rows]
