# SPDX-License-Identifier: Apache-2.0
"""The page: one file, nothing is loaded from elsewhere, no script."""
import os
import statistics
from html import escape

from ..names import bytes_text, case_label, time_text
from ..results import REGIME_TEXT
from . import collectives, curves, messages, ratios, scaling, spread, timeline


def page(results, trace=None):
    """The page as text. `trace`: what SODE_TRACE wrote, read as JSON."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "style.css"), encoding="utf-8") as file:
        style = file.read()
    body = head(results) + halo(results) + stencils(results) + messages.section(results) + collectives.section(results) + drawn(trace)
    body += conditions(results) + everything(results)
    return ('<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
            f"<title>sode bench</title><style>\n{style}</style></head>\n<body><main>{body}</main></body></html>\n")


def cores(regime):
    return "cores not probed" if regime == "unprobed" else f"{regime} cores"


def head(results):
    made = results.document["made"].replace("T", " ")[:16]
    cpu = results.document["machine"].get("cpu", "")
    text = f'<h1>Sode against hand-written MPI</h1><p class="muted">{escape(cpu)}{" · " if cpu else ""}{escape(made)}</p>'
    kinds = {"messages": "messages", "window": "shared windows"}
    tiles = "".join(f'<div class="tile"><b>{mean:.2f}×</b><span>best {kinds[kind]} ÷ ours, {escape(cores(regime))}:<br/>'
                    f"geometric mean of {count} cases</span></div>"
                    for regime, kind, mean, count in ratios.overview(results))
    tiles += "".join(f'<div class="tile"><b>{escape(number)}</b><span>{escape(words)}</span></div>'
                     for number, words in messages.tiles(results) + collectives.tiles(results))
    return text + (f'<div class="tiles">{tiles}</div>' if tiles else "")


def halo(results):
    text = ""
    for regime in results.regimes("halo"):
        bars = ratios.chart(results, regime)
        if bars:
            text += (f"<h2>Halo exchange: the best rival’s time over ours</h2><p>{escape(REGIME_TEXT[regime].capitalize())}. Sizes are "
                     "elements of each rank; faces across x are contiguous, across y rows, across z single elements. The rival of each "
                     "case is the best of all its styles and set-ups, which favours the rivals; ours is <code>array</code>.</p>"
                     + ratios.legend() + f'<div class="card">{bars}</div>')
        lines = curves.charts(results, regime)
        if lines:
            text += (f"<h2>Time over size</h2><p>{escape(cores(regime).capitalize())}; both axes are logarithmic.</p>" + curves.legend()
                     + f'<div class="card"><div class="grid-of-two">{"".join(lines)}</div></div>')
        strips = [c for ranks, case in results.cases("halo") if (c := spread.chart(results, ranks, case, regime))]
        if strips:
            text += (f"<h2>How the samples spread</h2><p>{escape(cores(regime).capitalize())}. A dot is the median of one block of "
                     "exchanges, the box holds the middle half of the blocks, the line is their median: ours, the best rivals by "
                     "messages and the best by a shared window.</p>"
                     f'<div class="card"><div class="grid-of-two">{"".join(strips)}</div></div>')
    return text


def stencils(results):
    cases = list(dict.fromkeys(case for _, case in results.cases("hybrid")))
    if not cases:
        return ""
    text = ("<h2>Laplace and Himeno over the ranks</h2><p>The same kernels, compiled once, as Sode’s loops, by hand with MPI (slabs, "
            "persistent requests, with and without overlap; or whole arrays in a shared window), with OpenMP, and with MPI between "
            "processes of OpenMP threads. Weak: every rank has as much to do as one rank alone. Speed-ups and shares are against Sode on one rank. Results are equal bit by "
            "bit.</p>")
    pictures = [c for case in cases if (c := scaling.chart(results, case))]
    if pictures:
        text += f'<div class="card"><div class="grid-of-two">{"".join(pictures)}</div></div>'
    for case in cases:
        text += f"<h3>{escape(case)}: time of a step</h3>{scaling.table(results, case)}"
    return text


def drawn(trace):
    if trace is None:
        return ""
    try:
        picture, about, listed = timeline.chart(trace)
    except timeline.NoTimeline as e:
        return f"<h2>One exchange</h2><p>Nothing to draw: {escape(str(e))}.</p>"
    return (f"<h2>One exchange</h2><p>{escape(about)}. The grey slice is an exchange from its start to its end; within it, what the "
            f'rank did, and whom it waited for.</p><div class="card">{picture}</div><details><summary>The same as a table</summary>'
            '<div class="wide"><table><thead><tr><th>rank</th><th>what</th><th>from</th><th>long</th><th>moved</th></tr></thead><tbody>'
            + "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in listed)
            + "</tbody></table></div></details>")


def conditions(results):
    document = results.document
    facts = "".join(f"<tr><th>{escape(k)}</th><td>{escape(str(v))}</td></tr>" for k, v in document["machine"].items())
    libraries = {r["setup"]: r["library"] for r in results.reports} | document.get("libraries", {})
    setups = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(libraries.get(name, s['mpi']))}</td><td><code>{escape(settings(s))}</code></td></tr>"
        for name, s in document["setups"].items())
    skipped = "".join(f"<tr><th>{escape(s['what'])}</th><td>{escape(s['setup'])}</td><td>{escape(s['why'])}</td></tr>"
                      for s in document["skipped"])
    blocks = sum(len(c["samples"]) for r in results.reports for c in r["cases"])
    regimes = {r: sum(s["regime"] == r for p in results.reports for c in p["cases"] for s in c["samples"])
               for r in ("near", "far", "between", "unprobed")}
    trips = [s["round_trip_ns"] for p in results.reports for c in p["cases"] for s in c["samples"] if s["round_trip_ns"] > 0]
    pairs = [d["round_trip_ns"] for r in results.reports if r["ranks"] > 2 for d in r.get("distances", [])]
    seen = ", ".join(f"{count} {name}" for name, count in regimes.items() if count)
    return ("<h2>Conditions</h2>"
            "<p>Before each exchange both ranks rewrite what they will send, and meet; the slowest rank’s time counts; afterwards every "
            "element that arrived is compared with what it must be. Ours and a rival take turns in one process, and a ratio is of two "
            "blocks that were measured right after each other. The distance of the two cores is probed before and after every block; "
            "blocks in which it changed are dropped.</p>"
            f"<p>{blocks} blocks: {escape(seen)}."
            + (f" A cache line went there and back in {time_text(statistics.median(trips) / 1000)} (median)." if trips else "")
            + (f" With more ranks, between {time_text(min(pairs) / 1000)} and {time_text(max(pairs) / 1000)}, by pair of cores." if pairs
               else "") + "</p>"
            f'<div class="wide"><table><tbody>{facts}</tbody></table></div>'
            "<h3>MPI, and its settings</h3>"
            f'<div class="wide"><table><thead><tr><th>set-up</th><th>library</th><th>settings</th></tr></thead><tbody>{setups}</tbody>'
            "</table></div>"
            + (f'<p>Under Sode: <code>{escape(document["layer"]["words"])}</code></p>' if "layer" in document else "")
            + (f'<h3>Not measured</h3><div class="wide"><table><tbody>{skipped}</tbody></table></div>' if skipped else "")
            + f'<p class="muted"><code>{escape(document["command"])}</code></p>')


def settings(setup):
    return " ".join([f"{k}={v}" for k, v in setup["environment"].items()] + list(setup["arguments"])) or "as it comes"


def everything(results):
    """All medians, folded away."""
    text = ""
    for ranks, case in results.cases("halo"):
        sizes = results.sizes.get(("halo", ranks, case), {})
        received = f", {bytes_text(sizes['bytes'])} in {sizes['messages']:.0f} pieces" if sizes else ""
        rows = ""
        for regime in results.regimes("halo"):
            cells = sorted((statistics.median(v), setup, method, len(v))
                           for (setup, method), v in results.times("halo", ranks, case, regime).items())
            rows += "".join(f"<tr><td>{regime}</td><td>{escape(method)}</td><td>{escape(setup)}</td><td>{time_text(us)}</td>"
                            f"<td>{count}</td></tr>" for us, setup, method, count in cells)
        text += (f"<details><summary>{escape(case_label(case))} (<code>{escape(case)}</code>), {ranks} ranks{received}</summary>"
                 '<div class="wide"><table><thead><tr><th>cores</th><th>method</th><th>set-up</th><th>median</th><th>blocks</th></tr>'
                 f"</thead><tbody>{rows}</tbody></table></div></details>")
    return f"<h2>All medians</h2>{text}" if text else ""
