# SPDX-License-Identifier: Apache-2.0
"""The results as text."""
import statistics

from sode_bars.reference import REFERENCE, SLACK

from . import collectives_table, messages_table
from .names import case_label, time_text
from .results import KINDS, REGIME_TEXT

REFERENCE_KIND = {"messages": "two-sided", "window": "window"}


def compared(results, ranks, case, regime, kind, ours="array"):
    """(best rival, its reference or None) of a halo case; None if nothing was measured."""
    best = results.best("halo", ranks, case, regime, ours, KINDS[kind])
    if best is None:
        return None
    reference = REFERENCE[REFERENCE_KIND[kind]].get(case, {}).get(regime) if ranks == 2 else None
    return best, reference


def verdict(ratio, reference):
    """How a ratio stands to the reference's [least, most]."""
    if reference is None:
        return ""
    if ratio > reference[1]:
        return "beaten"
    return "reached" if ratio >= SLACK * reference[0] else "short"


def halo_table(results):
    lines = []
    labels = {(ranks, case): case_label(case) + (f" ({ranks})" if ranks != 2 else "") for ranks, case in results.cases("halo")}
    wide = max([len(label) for label in labels.values()], default=0) + 2
    for regime in results.regimes("halo"):
        lines += ["", f"Halo exchange, {REGIME_TEXT[regime]}: time of an exchange, and best rival / ours",
                  f"{'case':<{wide}}{'array':>10}{'buffered':>10}   {'best messages':<38}{'ratio':>6}{'of ref.':>9} {'':<8}"
                  f"{'best window':>12}{'ratio':>7}"]
        for ranks, case in results.cases("halo"):
            array = results.times_of("halo", ranks, case, regime, "array")
            if not array:
                continue
            buffered = results.times_of("halo", ranks, case, regime, "buffered")
            row = f"{labels[(ranks, case)]:<{wide}}{time_text(statistics.median(array)):>10}"
            row += f"{time_text(statistics.median(buffered)) if buffered else '':>10}   "
            messages = compared(results, ranks, case, regime, "messages")
            words = ["", "", "", ""]
            if messages:
                best, reference = messages
                words = [f"{best.setup}/{best.style} {time_text(best.us)}", f"{best.ratio:.2f}",
                         f"{best.ratio / reference[0]:.2f}" if reference else "", verdict(best.ratio, reference)]
            row += f"{words[0]:<38}{words[1]:>6}{words[2]:>9} {words[3]:<8}"
            window = compared(results, ranks, case, regime, "window")
            if window:
                row += f"{time_text(window[0].us):>12}{window[0].ratio:>7.2f}"
            lines.append(row.rstrip())
    return lines


def stencil_table(results):
    lines = []
    for case in dict.fromkeys(case for _, case in results.cases("hybrid")):
        lines += ["", f"{case}: time of a step, and the best of each / ours"]
        for ranks in sorted(r for r, c in results.cases("hybrid") if c == case):
            for regime in results.regimes("hybrid", ranks):
                ours = results.times_of("hybrid", ranks, case, regime, "sode")
                if not ours:
                    continue
                row = f"  {ranks:>3} ranks {regime if regime != 'unprobed' else '':<5} sode {time_text(statistics.median(ours)):>9}"
                for method in hybrid_methods(results, ranks, case):
                    best = results.best("hybrid", ranks, case, regime, "sode", (method,))
                    if best:
                        row += f"   {method} {time_text(best.us)} ({best.ratio:.2f})"
                lines.append(row)
    return lines


def hybrid_methods(results, ranks, case):
    """The rivals, in the order in which they were measured."""
    names = [s["name"] for r in results.reports if r["program"] == "hybrid" and r["ranks"] == ranks
             for c in r["cases"] if c["case"] == case for s in c["samples"]]
    return [n for n in dict.fromkeys(names) if n != "sode"]


def text(results):
    lines = halo_table(results) + stencil_table(results) + messages_table.table(results) + collectives_table.table(results)
    for s in results.document["skipped"]:
        lines.append(f"not measured: {' '.join(x for x in (s['setup'], s['what']) if x)} ({s['why']})")
    return "\n".join(lines).lstrip("\n")
