# SPDX-License-Identifier: Apache-2.0
"""Compares Sode with hand-written MPI on this machine, and writes the results as a table, as JSON and as one HTML page."""
import argparse
import json
import os
import shlex
import signal
import sys

from . import collectives, datatypes, halo, layers, stencil, wrong_models
from .jobs import JobFailed
from .page.document import page
from .results import NotADocument, Results, load, new_document
from .runs import Progress, run_all, setups_here
from .summary import summary
from .table import text

NOTHING_HERE = """no benchmark program is here ({looked}) (they are built where an MPI with its compiler wrapper is found)
  install mpicc.openmpi or mpicc.mpich, and build them: cmake --preset release && cmake --build --preset release"""


class Problem(Exception):
    """Told to the user."""


def words():
    """The command line."""
    top = argparse.ArgumentParser(prog="sode bench", description=__doc__)
    commands = top.add_subparsers(dest="what", required=True, metavar="halo | stencil | datatypes | collectives | wrong-models | page")

    output = argparse.ArgumentParser(add_help=False)
    output.add_argument("--html", metavar="FILE", help="file for the page (default: bench-NAME.html)")
    output.add_argument("--trace", metavar="FILE", help="a file that SODE_TRACE wrote; the page draws one exchange of it")

    measured = argparse.ArgumentParser(add_help=False, parents=[output])
    measured.add_argument("--quick", action="store_true", help="measure for less than a minute, with few samples of few cases")
    measured.add_argument("--minutes", type=float, default=10, metavar="M", help="measure for M minutes (default 10)")
    measured.add_argument("--setups", metavar="LIST", help="MPI set-ups of the rivals: vader, vader-cma, ucx, mpich, mpich-cma (default: all that work on this machine). For datatypes also vader-eager, "
                          "vader-frag-4, -16, -32, -64; for collectives also coll-sm, coll-adapt, coll-linear, mpich-graphs")
    measured.add_argument("--json", metavar="FILE", help="file for all samples (default: bench-NAME.json)")
    measured.add_argument("--quiet", action="store_true", help="print no progress")

    h = commands.add_parser("halo", parents=[measured], help="halo exchanges, compared with hand-written MPI in several styles")
    h.add_argument("-n", "--ranks", type=int, default=2, help="number of ranks (default 2)")
    h.add_argument("--cases", metavar="LIST", help="cases, such as 3d64_x, 3d128_h3_y, 3d64_f8_z_per, 2d1024_z, 3d64_221 (default: all)")
    h.add_argument("--styles", metavar="LIST", help="MPI styles of the rivals (default: all)")

    s = commands.add_parser("stencil", parents=[measured], help="Laplace and Himeno with Sode, MPI, OpenMP, and MPI + OpenMP; strong and weak scaling")
    s.add_argument("--problems", default="laplace,himeno", metavar="LIST", help="problems (default laplace,himeno)")
    s.add_argument("-n", "--ranks", metavar="LIST", help="numbers of ranks (default: 1, 2, 4, … up to the number of cores)")

    d = commands.add_parser("datatypes", parents=[measured],
                            help="messages of applications: by MPI's datatypes, with packing by hand, and by MPI's datatypes with the MPI layer")
    d.add_argument("--cases", metavar="LIST", help="cases, as regular expressions: wrf_x_vec_61440, nas_mg_y, lammps_.* (default: all)")
    d.add_argument("--turns", type=int, default=6, metavar="N", help="number of blocks of each program in a pass (default 6)")
    d.add_argument("--data", choices=("rewritten", "kept", "both"), default="both",
                   help="rewritten: the data are written again before every round; kept: the data do not change (default: both, one after the other; with --quick: rewritten)")
    d.add_argument("--layer", choices=layers.NAMES, help="how to load the MPI layer: under `sode task`, by LD_PRELOAD, or not (default: the fastest method that works on this machine)")
    d.add_argument("--prefix", metavar="WORDS", help="words to put before the program, instead of --layer")
    d.add_argument("--limits", action="store_true", help="also measure bare copies of the same number of cache lines, as the limit for every message")

    c = commands.add_parser("collectives", parents=[measured],
                            help="planned collectives, compared with blocking, nonblocking and persistent collectives of MPI")
    c.add_argument("-n", "--ranks", metavar="LIST", default="2", help="numbers of ranks (default 2)")
    c.add_argument("--operations", metavar="LIST", help="operations, such as barrier, bcast, allreduce (default: all)")
    c.add_argument("--sizes", metavar="LIST", help="bytes of each rank (default: 8 to 8388608)")
    c.add_argument("--engine", default="inline", help="engine that runs Sode's collectives: inline or thread (default inline)")
    c.add_argument("--layer", action="store_true", help="also measure MPI's collectives with the MPI layer")
    c.add_argument("--prefix", metavar="WORDS", help="words to put before a program with the layer")

    w = commands.add_parser("wrong-models", help="for developers: test with random profiles whether the MPI layer finds the best path if its model is wrong")
    w.add_argument("--profiles", type=int, default=5, metavar="N", help="number of profiles (default 5)")
    w.add_argument("--seed", type=int, default=1, help="seed of the random profiles (default 1)")
    w.add_argument("--cases", metavar="LIST", help="cases, such as wrf_x_vec_61440, nas_mg_y (default: twelve of them)")
    w.add_argument("--turns", type=int, default=wrong_models.TURNS, metavar="N", help="number of blocks of each case (default %(default)s)")
    w.add_argument("--setups", default="vader,mpich", metavar="LIST", help="MPI set-ups (default %(default)s)")
    w.add_argument("--layer", choices=layers.NAMES[:2], help="how to load the MPI layer: under `sode task`, by LD_PRELOAD, or not (default: the fastest method that works on this machine)")
    w.add_argument("--json", default="bench-wrong-models.json", metavar="FILE", help="file for all pairs (default: %(default)s)")
    w.add_argument("--quiet", action="store_true", help="print no progress")

    p = commands.add_parser("page", parents=[output], help="write the page again, from JSON files of earlier runs")
    p.add_argument("results", nargs="+", metavar="JSON", help="JSON files of earlier runs")
    return top


def listed(value):
    return [word for word in value.split(",") if word] if value else None


def chosen_setups(machine, program, o):
    here = setups_here(machine, program, listed(o.setups))
    unknown = set(listed(o.setups) or ()) - {s.name for s in here}
    if unknown and here:
        raise Problem(f"set-up {', '.join(sorted(unknown))} is unknown or not here (there is {', '.join(s.name for s in here)})")
    if not here:
        raise Problem(NOTHING_HERE.format(looked=os.path.join(machine.bin, program + "_*")) if not unknown
                      else f"set-up {', '.join(sorted(unknown))} is unknown or its MPI is not here")
    return here


def measure(machine, o):
    program = {"halo": "bench_halo", "stencil": "bench_hybrid", "datatypes": "bench_datatypes",
               "collectives": "bench_collectives"}[o.what]
    setups = chosen_setups(machine, program, o)
    document = new_document("sode bench " + shlex.join(sys.argv[1:]),
                            {s.name: {"mpi": s.mpi, "arguments": list(s.arguments), "environment": s.environment} for s in setups}, {})
    if o.what == "datatypes":
        if o.turns < 1:
            raise Problem("there must be a turn")
        datatypes.run(machine, setups, o, listed(o.cases), document, Progress(o.quiet))
        return finished(document)
    if o.what == "collectives":
        runs = collective_runs(machine, setups, o, document)
    elif o.what == "halo":
        if o.ranks < 2:
            raise Problem("a halo exchange needs two ranks")
        cases = listed(o.cases) or (halo.quick_cases(o.ranks) if o.quick else halo.all_cases(o.ranks))
        for case in cases:
            if not halo.CASE.fullmatch(case):
                raise Problem(f"case {case} cannot be read (they are like 3d64_x, 3d128_h3_y, 3d64_f8_z_per, 2d1024_z, 3d64_221)")
        styles = listed(o.styles) or (halo.QUICK_STYLES if o.quick else None)
        runs = halo.runs(machine, setups, o.ranks, cases, styles, 4 if o.quick else 2, 4 if o.quick else 1, document)
    else:
        counts = [int(n) for n in listed(o.ranks)] if o.ranks else stencil.rank_counts()
        runs = stencil.runs(machine, setups[:1] if o.quick else setups, listed(o.problems), counts, 3 if o.quick else 6, o.quick)
    run_all(runs, document, 0 if o.quick else 60 * o.minutes, Progress(o.quiet))
    return finished(document)


def collective_runs(machine, setups, o, document):
    operations = listed(o.operations) or (collectives.QUICK_OPERATIONS if o.quick else collectives.OPERATIONS)
    unknown = set(operations) - set(collectives.OPERATIONS)
    if unknown:
        raise Problem(f"operation {', '.join(sorted(unknown))} is unknown (there is {', '.join(collectives.OPERATIONS)})")
    runs = []
    for ranks in numbers(o.ranks):
        if ranks < 2:
            raise Problem("a collective needs two ranks")
        runs += collectives.runs(machine, setups, ranks, operations, numbers(o.sizes), o, document)
    return runs


def numbers(value):
    try:
        return [int(word) for word in listed(value) or ()]
    except ValueError as e:
        raise Problem(f"a list of numbers cannot be read ({value})") from e


def measure_wrong_models(machine, o):
    """Its document and its table."""
    if o.profiles < 1 or o.turns < 2:
        raise Problem("there must be a profile and two turns")
    setups = chosen_setups(machine, "bench_datatypes", o)
    document = new_document("sode bench " + shlex.join(sys.argv[1:]), {s.name: {"mpi": s.mpi} for s in setups}, {})
    try:
        pairs = wrong_models.run(machine, setups, o, listed(o.cases), document, Progress(o.quiet))
    except JobFailed as e:
        raise Problem(str(e)) from e
    if not pairs:
        raise Problem("nothing could be measured:\n" + "\n".join(f"  {s['setup']} {s['what']}: {s['why']}" for s in document["skipped"]))
    document["verdict"] = wrong_models.verdicts(pairs)
    return document, wrong_models.table(pairs, o.seed)


def finished(document):
    if not document["reports"]:
        raise Problem("nothing could be measured:\n" + "\n".join(f"  {s['setup']} {s['what']}: {s['why']}" for s in document["skipped"]))
    document["machine"] = document["reports"][0].get("machine", {})
    return document


def merged(documents):
    """One document of all results."""
    first = documents[0]
    for other in documents[1:]:
        first["reports"] += other["reports"]
        first["skipped"] += other["skipped"]
        first["setups"].update(other["setups"])
        first["command"] += "; " + other["command"]
    return first


def write(path, content):
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
    except OSError as e:
        raise Problem(f"cannot write {path} ({e.strerror})") from e


def trace_of(path):
    if not path:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as e:
        raise Problem(f"cannot read the trace {path} ({e})") from e


def main(machine, argv=None):
    o = words().parse_args(argv)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as an interrupt: what has been measured is written
    try:
        if o.what == "wrong-models":
            document, told = measure_wrong_models(machine, o)
            write(o.json, json.dumps(document) + "\n")
            print("\n".join([told, *(f"not measured: {s['setup']} {s['what']}: {s['why']}" for s in document["skipped"])]))
            print(f"\nevery pair: {o.json}")
            return 0
        trace = trace_of(o.trace)
        if o.what == "page":
            document = merged([load(path) for path in o.results])
            html = o.html or "bench.html"
        else:
            document = measure(machine, o)
            html = o.html or f"bench-{o.what}.html"
            results = o.json or f"bench-{o.what}.json"
            document["summary"] = summary(Results(document))
            write(results, json.dumps(document) + "\n")
        write(html, page(Results(document), trace))
        if o.what != "page":
            print(text(Results(document)))
            print(f"\nevery sample: {results}")
        print(f"to look at:   {html}")
        return 0
    except (Problem, NotADocument) as e:
        print(f"sode: error: {e}", file=sys.stderr)
        return 1
