# SPDX-License-Identifier: Apache-2.0
"""The part of the page about collectives."""
from html import escape

from .. import collectives
from ..collectives import LAYER, OURS, PROGRAM, THROUGH_LAYER
from ..collectives_table import MEMORY, label
from ..names import time_text
from ..results import REGIME_TEXT
from .curves import drawing
from .ratios import bars

KINDS = (("shared", "s3", 3), ("own", "s4", 17))
LAYER_KINDS = (("layer blocking", "s3", 0), ("layer nonblocking", "s4", 12), ("layer persistent", "s1", 24))
COLOURS = {"rival": "s3", "own": "s4", "shared": "s1"}
AT_MOST = 8.0


def section(results):
    return "".join(regime_part(results, regime) for regime in results.regimes(PROGRAM)) \
        + "".join(layer_part(results, regime) for regime in results.regimes(LAYER))


def tiles(results):
    """[(number, words)] for the top of the page."""
    told = []
    for regime in results.regimes(PROGRAM):
        found = collectives.cells(results, regime)
        for ranks in sorted({c.ranks for c in found}):
            for ours in OURS:
                means = collectives.mean(found, ours, ranks)
                if means:
                    told.append((f"{means[0]:.2f}×", f"best MPI ÷ ours, {ranks} ranks, {MEMORY[ours]}, {regime} cores: "
                                                     f"geometric mean of {means[1]} collectives"))
    return told


def regime_part(results, regime):
    found = collectives.cells(results, regime)
    if not found:
        return ""
    text = (f"<h2>Collectives: the best rival’s time over ours</h2><p>{escape(REGIME_TEXT[regime].capitalize())}. Start and wait of what was "
            "planned once; the rival of each case is the best of all MPIs, settings and forms (blocking, nonblocking, persistent), which "
            "favours the rivals.</p>"
            f'<p class="legend"><span><i class="key s3"></i>{MEMORY["shared"]}</span><span><i class="key s4"></i>{MEMORY["own"]}</span></p>')
    for ranks in sorted({c.ranks for c in found}):
        rows = by_case([c for c in found if c.ranks == ranks])
        if rows:
            text += f'<h3>{ranks} ranks</h3><div class="card">{bars(rows, KINDS, f"collectives, {ranks} ranks, {regime}", AT_MOST)}</div>'
        lines = [c for operation in collectives.OPERATIONS if (c := curve([f for f in found if f.ranks == ranks], operation, regime))]
        if lines:
            text += ('<p class="legend"><span><i class="key s1"></i>ours, shared</span><span><i class="key s4"></i>ours, own</span>'
                     f'<span><i class="key s3"></i>best rival</span></p><div class="card"><div class="grid-of-two">{"".join(lines)}</div></div>')
    return text + fractions_part(found) + parts(results, regime, PROGRAM, (*OURS, "persistent")) + hidden(results, regime)


def by_case(found):
    cases = {}
    for c in found:
        if c.best:
            cases.setdefault(c.case, {})[c.ours] = (c.best, None)
    return [(label(case), {kind: of.get(kind) for kind in (*OURS, *THROUGH_LAYER)}) for case, of in cases.items()]


def curve(found, operation, regime):
    """Time over size; None of fewer than two sizes."""
    points = {}
    for c in found:
        name, size = collectives.size_of(c.case)
        if name != operation or not size:
            continue
        points.setdefault(c.ours, []).append((size, c.us, f"{c.ours}: {time_text(c.us)}"))
        if c.best and c.ours == OURS[0]:
            points.setdefault("rival", []).append((size, c.best.us, f"{c.best.setup}/{c.best.style}: {time_text(c.best.us)}"))
    sizes = sorted({size for line in points.values() for size, _, _ in line})
    if len(sizes) < 2:
        return None
    return drawing(f"{operation}, {regime}", {k: sorted(v) for k, v in points.items()}, COLOURS, "bytes of a rank", sizes)


def fractions_part(found):
    rows = "".join(f"<tr><td>{escape(label(c.case))}</td><td>{c.ranks}</td><td>{c.ours}</td><td>{time_text(c.us)}</td><td>{c.fraction:.2f}</td></tr>"
                   for c in found if c.fraction is not None)
    return ("<details><summary>How near ours comes to bare flags and copies</summary><div class=\"wide\"><table><thead><tr><th>collective</th>"
            f"<th>ranks</th><th>memory</th><th>ours</th><th>limit ÷ ours</th></tr></thead><tbody>{rows}</tbody></table></div></details>"
            if rows else "")


def parts(results, regime, program, who):
    rows = ""
    for (ranks, case), names in collectives.steps(results, regime, program).items():
        for name in who:
            if name in names:
                rows += (f"<tr><td>{escape(label(case))}</td><td>{ranks}</td><td>{name}</td>"
                         + "".join(f"<td>{time_text(names[name].get(step, 0))}</td>" for step in collectives.STEPS) + "</tr>")
    head = "".join(f"<th>{step}</th>" for step in collectives.STEPS)
    return ('<details><summary>init, start, wait and free, each by itself</summary><div class="wide"><table><thead><tr><th>collective</th>'
            f"<th>ranks</th><th>who</th>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>" if rows else "")


def hidden(results, regime):
    rows = "".join(f"<tr><td>{escape(label(case))}</td><td>{ranks}</td><td>{escape(name)}</td><td>{compute:.0%}</td><td>{memory:.0%}</td></tr>"
                   for (ranks, case), names in collectives.overlaps(results, regime).items() for name, (compute, memory) in names.items())
    return ('<details><summary>How much is hidden behind work between start and wait</summary><div class="wide"><table><thead><tr>'
            "<th>collective</th><th>ranks</th><th>who</th><th>computing</th><th>through memory</th></tr></thead>"
            f"<tbody>{rows}</tbody></table></div></details>" if rows else "")


def layer_part(results, regime):
    rows = by_case(collectives.cells(results, regime, LAYER))
    if not rows:
        return ""
    return (f"<h2>Collectives of an MPI program under Sode’s layer</h2><p>{escape(REGIME_TEXT[regime].capitalize())}. Past the layer ÷ "
            "through it: blocking and nonblocking calls against the same call; persistent ones, which libsode-mpi4 has, against the best of all "
            "forms of the MPI.</p>"
            '<p class="legend"><span><i class="key s3"></i>blocking</span><span><i class="key s4"></i>nonblocking</span>'
            '<span><i class="key s1"></i>persistent</span></p>'
            f'<div class="card">{bars(rows, LAYER_KINDS, f"collectives through the layer, {regime}", AT_MOST)}</div>'
            + parts(results, regime, LAYER, ("layer persistent", "persistent")))
