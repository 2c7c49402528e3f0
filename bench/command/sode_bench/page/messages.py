# SPDX-License-Identifier: Apache-2.0
"""The part of the page about derived datatypes."""
import statistics
from html import escape

from .. import messages
from ..messages import KEPT, PROGRAM, family
from ..messages_table import DATA
from ..names import bytes_text, time_text
from ..results import REGIME_TEXT
from .curves import drawing
from .ratios import bars

KINDS = (("datatypes", "s3", 3), ("packing", "s4", 17))
COLOURS = {"datatypes": "s3", "packing": "s4", "ours": "s1"}
AT_MOST = 12.0  # longer bars are cut, their number stands beside them
LEGEND = ('<p class="legend"><span><i class="key s1"></i>the datatypes under Sode</span>'
          '<span><i class="key s3"></i>best of the MPIs’ datatypes</span><span><i class="key s4"></i>best hand packing</span></p>')


def label(case):
    name, size = family(case)
    return f"{name}, {bytes_text(int(size))}"


def section(results):
    text = ""
    for program in messages.PROGRAMS:
        for regime in results.regimes(program):
            text += regime_part(results, program, regime)
    return text + application_part(results) + cost_part(results)


def tiles(results):
    """[(number, words)] for the top of the page."""
    found = []
    for program in messages.PROGRAMS:
        for regime in results.regimes(program):
            ours = messages.headline(results, program, regime)
            for method, name in messages.RIVALS if ours else ():
                mean, count = messages.means(results, program, regime, ours).get(method, (0, 0))
                if count:
                    data = "" if program == PROGRAM else ", data never rewritten"
                    found.append((f"{mean:.2f}×", f"best {name} ÷ ours, {regime} cores{data}: geometric mean of {count} cases"))
    return found


def regime_part(results, program, regime):
    ours = messages.headline(results, program, regime)
    rows = []
    for case in messages.cases(results, program) if ours else ():
        found = {method: messages.compared(results, program, case, regime, ours, method) for method, _ in messages.RIVALS}
        if any(found.values()) and messages.is_pattern(case):
            rows.append((label(case), {k: (best, None) if best else None for k, best in found.items()}))
    curves = [c for name in dict.fromkeys(family(c)[0] for c in messages.cases(results, program))
              if (c := curve(results, program, regime, ours, name))]
    if not rows and not curves:
        return ""
    about = (f"{escape(REGIME_TEXT[regime].capitalize())}. Both partners use the application’s own datatypes; the rival of each case is "
             "the best of all MPIs and settings, which favours the rivals. ")
    about += f"Ours is <code>{escape(ours)}</code> for every case." if ours else "Sode’s layer was not measured."
    text = f"<h2>Messages of applications, {DATA[program]}</h2><p>{about}</p>" + LEGEND
    if rows:
        text += f'<div class="card">{bars(rows, KINDS, f"datatypes, {program}, {regime}", AT_MOST)}</div>'
    if curves:
        text += f'<div class="card"><div class="grid-of-two">{"".join(curves)}</div></div>'
    return text + first_part(results, program, regime, ours)


def curve(results, program, regime, ours, name):
    """Time over size of one family; None of fewer than two sizes."""
    points = {}
    for case in messages.cases(results, program):
        if family(case)[0] != name or messages.is_application(case):
            continue
        size = family(case)[1]
        mine = results.times_of(program, 2, case, regime, ours) if ours else []
        if mine:
            points.setdefault("ours", []).append((size, statistics.median(mine), f"{ours}: {time_text(statistics.median(mine))}"))
        for method, _ in messages.RIVALS:
            best = messages.compared(results, program, case, regime, ours, method) if ours else None
            if best:
                points.setdefault(method, []).append((size, best.us, f"{best.setup}: {time_text(best.us)}"))
    sizes = sorted({size for line in points.values() for size, _, _ in line})
    if len(sizes) < 2:
        return None
    which = "" if program == PROGRAM else ", kept"
    return drawing(f"{name}{which}, {regime}", {k: sorted(v) for k, v in points.items()}, COLOURS, "bytes of a message", sizes)


def first_part(results, program, regime, ours):
    if program == KEPT or not ours:
        return ""
    rows = ""
    for case in messages.cases(results, PROGRAM):
        first = messages.first_uses(results, case, regime, ours)
        if first:
            ratio, us, setup = first
            rows += f"<tr><td>{escape(label(case))}</td><td>{time_text(us)}</td><td>{ratio:.2f}×</td><td>{escape(setup)}</td></tr>"
    if not rows:
        return ""
    return ('<details><summary>The first uses: commit of fresh datatypes and two ping-pongs</summary><div class="wide"><table><thead><tr>'
            "<th>case</th><th>ours</th><th>of the best MPI’s time</th><th>which is</th></tr></thead>"
            f"<tbody>{rows}</tbody></table></div></details>")


def application_part(results):
    rows = ""
    for regime in results.regimes(PROGRAM):
        for case, cells in messages.application_rows(results, regime, messages.headline(results, PROGRAM, regime)):
            for words, us, share, ratio in cells:
                rows += (f"<tr><td>{escape(label(case))}</td><td>{regime}</td><td>{escape(words)}</td><td>{time_text(us)}</td>"
                         f"<td>{'' if share is None else f'{100 * share:.0f} %'}</td><td>{f'{ratio:.2f}×' if ratio else ''}</td></tr>")
    if not rows:
        return ""
    return ("<h2>Applications that compute</h2><p>A two-dimensional FFT with its two transpositions, and the pipelined sweeps of LU; the time "
            'of a whole run, and how much of it is communication.</p><div class="wide"><table><thead><tr><th>application</th><th>cores</th>'
            f"<th>by</th><th>a run</th><th>communication</th><th>of ours</th></tr></thead><tbody>{rows}</tbody></table></div>")


def cost_part(results):
    rows = ""
    for regime in results.regimes(PROGRAM):
        for case in messages.cost_cases(results):
            for setup, ns, (low, high), pairs in messages.costs(results, case, regime):
                rows += (f"<tr><td>{escape(label(case))}</td><td>{escape(setup)}</td><td>{regime}</td><td>{ns:.1f} ns</td>"
                         f"<td>[{low:.1f}, {high:.1f}]</td><td>{pairs}</td></tr>")
    if not rows:
        return ""
    return ("<h2>What Sode costs where it has nothing to offer</h2><p>Short messages and contiguous ones, in the same MPI with the same "
            'settings: how much longer a message takes.</p><div class="wide"><table><thead><tr><th>case</th><th>set-up</th><th>cores</th>'
            f"<th>more</th><th>95 %</th><th>pairs</th></tr></thead><tbody>{rows}</tbody></table></div>")
