# SPDX-License-Identifier: Apache-2.0
"""One exchange, drawn from what SODE_TRACE wrote (Chrome's trace event format)."""
from collections import defaultdict

from ..names import bytes_text, time_text
from .svg import Drawing, Linear, text_width

WIDTH, LABEL, LANE, GAP = 940, 90, 22, 10
COLOURS = {"exchange": "whole", "work": "s1", "wait": "s4"}


class NoTimeline(Exception):
    """Why nothing can be drawn."""


def read(trace):
    """(slices, instants, names of threads, order of threads); times in microseconds."""
    events = trace.get("traceEvents") if isinstance(trace, dict) else trace
    if not isinstance(events, list):
        raise NoTimeline("the trace has no events in Chrome's format")
    names, order = {}, {}
    slices, instants = [], []
    for e in events:
        if not isinstance(e, dict):
            continue
        thread = (e.get("pid"), e.get("tid"))
        if e.get("ph") == "M" and e.get("name") == "thread_name":
            names[thread] = e.get("args", {}).get("name", "")
        elif e.get("ph") == "M" and e.get("name") == "thread_sort_index":
            order[thread] = e.get("args", {}).get("sort_index", 0)
        elif e.get("ph") == "X" and "ts" in e and "dur" in e:
            slices.append({**e, "thread": thread})
        elif e.get("ph") in ("i", "I") and "ts" in e:
            instants.append({**e, "thread": thread})
    if not slices:
        raise NoTimeline("the trace has no slices")
    return slices, instants, names, order


def outermost(slices):
    """Those that lie in no other of their thread."""
    found = []
    by_thread = defaultdict(list)
    for s in slices:
        by_thread[s["thread"]].append(s)
    for of_thread in by_thread.values():
        end = float("-inf")
        for s in sorted(of_thread, key=lambda s: (s["ts"], -s["dur"])):
            if s["ts"] >= end:
                found.append(s)
                end = s["ts"] + s["dur"]
    return found


def typical(slices):
    """The slices of one exchange on all threads: of the exchange that most time went into, an epoch in which all threads took part, the
    one of median length."""
    whole = [s for s in slices if s.get("cat") == "exchange"] or outermost(slices)
    total = defaultdict(float)
    for s in whole:
        total[s["name"]] += s["dur"]
    name = max(total, key=total.get)
    epochs = defaultdict(list)
    for i, s in enumerate(sorted((s for s in whole if s["name"] == name), key=lambda s: s["ts"])):
        epochs[s.get("args", {}).get("epoch", f"slice {i}")].append(s)
    most = max(len({s["thread"] for s in of_epoch}) for of_epoch in epochs.values())
    full = [e for e in epochs.values() if len({s["thread"] for s in e}) == most]

    def length(of_epoch):
        return max(s["ts"] + s["dur"] for s in of_epoch) - min(s["ts"] for s in of_epoch)
    full.sort(key=length)
    chosen = full[len(full) // 2]
    begin, end = min(s["ts"] for s in chosen), max(s["ts"] + s["dur"] for s in chosen)
    return name, chosen[0].get("args", {}).get("epoch"), begin, end


def depths(slices):
    """[(slice, depth)] of one thread."""
    found, open_ends = [], []
    for s in sorted(slices, key=lambda s: (s["ts"], -s["dur"])):
        while open_ends and s["ts"] >= open_ends[-1] - 1e-6:
            open_ends.pop()
        found.append((s, len(open_ends)))
        open_ends.append(s["ts"] + s["dur"])
    return found


def when(s, begin):
    """Its begin and its length."""
    begin_text = time_text(s["ts"] - begin) if s["ts"] > begin else "0" if s["ts"] == begin else "before"
    return begin_text, time_text(s["dur"]) if s["dur"] > 0 else "0"


def moved(s):
    """What it moved, in lines."""
    args = s.get("args", {})
    lines = [bytes_text(args["bytes"])] if args.get("bytes") else []
    for edge in args.get("edges", [])[:8]:
        if isinstance(edge, dict):
            lines.append(f"rank {edge.get('rank')} {edge.get('direction', '')}: {bytes_text(edge.get('bytes', 0))} by {edge.get('channel', '')}")
    return lines


def tip(s, begin):
    start, length = when(s, begin)
    return "\n".join([s["name"], f"from {start}, {length} long", *moved(s)])


def chart(trace):
    """(the drawing, what it shows, the same as rows of a table: row name, slice, from, length, what it moved)"""
    slices, instants, names, order = read(trace)
    name, epoch, begin, end = typical(slices)
    margin = 0.04 * (end - begin) or 0.1
    x = Linear(begin - margin, end + margin, LABEL, WIDTH - 10)
    inside = [s for s in slices if s["ts"] < end + margin and s["ts"] + s["dur"] > begin - margin]
    threads = sorted({s["thread"] for s in inside}, key=lambda t: (order.get(t, 0), str(t)))
    rows = {t: depths([s for s in inside if s["thread"] == t]) for t in threads}
    height = 34 + sum((1 + max(d for _, d in row)) * LANE + GAP for row in rows.values()) + 24
    d = Drawing(WIDTH, height, f"timeline of {name}")
    y = 28
    listed = []
    for tick in Linear(-margin, end - begin + margin, 0, 1).ticks(8):
        at = x(begin + tick)
        d.line(at, 20, at, height - 24, "grid")
        d.text(at, 13, time_text(tick) if tick > 0 else "0" if tick == 0 else "", "small muted", "middle")
    for thread in threads:
        lanes = 1 + max(depth for _, depth in rows[thread])
        d.text(LABEL - 10, y + LANE * lanes / 2 + 4, names.get(thread) or f"thread {thread[1]}", "", "end")
        for s, depth in rows[thread]:
            block(d, x, y + depth * LANE, s, begin)
            listed.append((names.get(thread) or f"thread {thread[1]}", s["name"], *when(s, begin), "; ".join(moved(s))))
        for e in instants:
            if e["thread"] == thread and begin - margin <= e["ts"] <= end + margin:
                d.dot(x(e["ts"]), y + 3, 4, "alarm", e["name"])
        y += lanes * LANE + GAP
    d.text(LABEL, height - 6, "from the start of the first rank; point at a slice for its edges and bytes", "small muted")
    about = name + (f", epoch {epoch}" if epoch is not None else "") + f": {time_text(end - begin)} on {len(threads)} ranks"
    return d.svg(), about, listed


def block(d, x, y, s, begin):
    left, right = max(x(s["ts"]), x.start), min(x(s["ts"] + s["dur"]), x.end)
    d.rect(left, y, max(right - left, 1.5), LANE - 3, f"slice {COLOURS.get(s.get('cat'), 's1')}", tip(s, begin), 3)
    words = s["name"]
    room = right - left - 10
    while words and text_width(words, 11) > room:
        words = words[:-1]
    if len(words) == len(s["name"]) or len(words) > 5:
        d.text(left + 5, y + LANE - 9, words if len(words) == len(s["name"]) else words[:-1] + "…", "small on-slice")
