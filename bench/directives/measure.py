# SPDX-License-Identifier: Apache-2.0
"""What directives cost: measure.py SODE FOLDER [build|loops|himeno|calls|exchange|compiler ...]. `build` compiles the programs into FOLDER, the others measure
them: loops on one rank against the same file without directives; Himeno on two ranks against MPI by hand; a `reflect_do` against the calls that it
makes; halos of 8192² by
`reflect_do` against MPI by hand, on nodes 2 x 1, 1 x 2 and 4 x 4 (`exchange=4x4`: these alone); `sode cc -O2` against `cc -O2` on 1,000 lines, in processor time. SODE is one of a release build. Programs alternate and begin by turns, results are
compared, and a row has the median of the ratios and the 95 % bootstrap interval of it; of two ranks, one row for rounds in which their cores were near (before and after) and one for far."""
import pathlib
import random
import resource
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
FLAGS = ["-O3", "-march=native"]

NEAR_BELOW, FAR_ABOVE = 180, 250  # ns, as docs/profile.md says; a test compares them


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=60)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout.split()


def pairs(ours, theirs, rounds):
    """Of programs that print a time and a result: their times, round by round."""
    for k in range(rounds):
        a, b = (run(*ours), run(*theirs)) if k % 2 == 0 else reversed((run(*theirs), run(*ours)))
        if abs(float(a[1]) - float(b[1])) > 1e-4 * abs(float(b[1])):
            sys.exit(f"other results: {a[1]} and {b[1]}")
        yield float(a[0]), float(b[0])


def interval(values):
    """The median, and the 95 % bootstrap interval of it."""
    draw = random.Random(1)
    many = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(2000))
    return f"{statistics.median(values):.3f} [{many[50]:.3f}, {many[1949]:.3f}]"


def medians(rows):
    """The times', and that of theirs / ours."""
    return (*(statistics.median(r[k] for r in rows) for k in (0, 1)), interval([b / a for a, b in rows]))


def by_distance(folder, ours, theirs, rounds):
    """(near or far, rounds, medians): rounds in which it changed are left out."""
    rows = {"near": [], "far": []}
    before = round_trip(folder)
    for pair in pairs(ours, theirs, rounds):
        after = round_trip(folder)
        if before < NEAR_BELOW and after < NEAR_BELOW:
            rows["near"].append(pair)
        elif before > FAR_ABOVE and after > FAR_ABOVE:
            rows["far"].append(pair)
        before = after
    return [(where, len(some), *medians(some)) for where, some in rows.items() if some]


def round_trip(folder):
    return float(run(folder / "round_trip")[0])


LOOPS = {"block": (["-DFORMAT=block"], 0.98), "gblock": (["-DFORMAT=gblock(widths)"], 0.98), "cyclic": (["-DFORMAT=cyclic", "-DCYCLIC"], 0.9),
         "cyclic4": (["-DFORMAT=cyclic(4)", "-DCYCLIC"], 0.9), "inner": (["-DFORMAT=cyclic", "-DCYCLIC", "-DINNER"], 0.9),
         "inner4": (["-DFORMAT=cyclic(4)", "-DCYCLIC", "-DINNER"], 0.9)}
SHAPES = {"2x1": (2, 1), "1x2": (1, 2), "4x4": (4, 4)}
MPIS = {"openmpi": ["--allow-run-as-root", "--oversubscribe"], "mpich": []}


def build(sode, folder):
    for name, (words, _) in LOOPS.items():
        run(sode, "cc", *FLAGS, *words, HERE / "loops.c", "-o", folder / f"{name}_ours")
        run("cc", *FLAGS, "-Wno-unknown-pragmas", *words, HERE / "loops.c", "-o", folder / f"{name}_theirs")
    run(sode, "cc", *FLAGS, "-DNODES=2", HERE / "himeno_directives.c", "-o", folder / "himeno_ours")
    for mpi in MPIS:
        run(f"mpicc.{mpi}", *FLAGS, "-DNODES=2", HERE / "himeno_mpi.c", "-o", folder / f"himeno_{mpi}")
    run("cc", "-O2", HERE / "round_trip.c", "-o", folder / "round_trip")
    run(sode, "cc", *FLAGS, HERE / "halo_calls.c", "-o", folder / "calls")
    for shape, (rows, columns) in SHAPES.items():
        words = [f"-DROWS={rows}", f"-DCOLUMNS={columns}"]
        run(sode, "cc", *FLAGS, *words, HERE / "exchange_directives.c", "-o", folder / f"exchange_{shape}_ours")
        for mpi in MPIS:
            run(f"mpicc.{mpi}", *FLAGS, *words, HERE / "exchange_mpi.c", "-o", folder / f"exchange_{shape}_{mpi}")


def loops(sode, folder):
    for name, (_, bar) in LOOPS.items():
        ours, theirs, ratio = medians(list(pairs([folder / f"{name}_ours"], [folder / f"{name}_theirs"], 15)))
        print(f"{name:12} {ours / 1e3:8.1f} us by directives, {theirs / 1e3:8.1f} us without: {ratio} (bar {bar})")


def himeno(sode, folder):
    for mpi, words in MPIS.items():
        for where, rounds, ours, theirs, ratio in by_distance(folder, [sode, "run", "-n", 2, "--", folder / "himeno_ours"],
                                                              [f"mpirun.{mpi}", *words, "-n", 2, folder / f"himeno_{mpi}"], 15):
            print(f"himeno       {ours:8.3f} ms by directives, {theirs:8.3f} ms by {mpi}: {ratio} (bar 1; {where}, {rounds} rounds)")


def calls(sode, folder):
    rows = [[float(x) for x in run(folder / "calls")] for _ in range(9)]
    ours, theirs = (statistics.median(r[k] for r in rows) for k in (0, 1))
    print(f"reflect_do   {ours:8.1f} ns by directives, {theirs:8.1f} ns by the C face: {interval([a - b for a, b in rows])} ns more (bar 20)")


def exchange(sode, folder, *wanted):
    for shape in wanted or SHAPES:
        ranks = SHAPES[shape][0] * SHAPES[shape][1]
        for mpi, words in MPIS.items():
            if mpi == "mpich" and ranks > 2:
                continue  # MPICH waits without giving way: on two cores it does not end within a minute
            for where, rounds, ours, theirs, ratio in by_distance(folder, [sode, "run", "-n", ranks, "--", folder / f"exchange_{shape}_ours"],
                                                                  [f"mpirun.{mpi}", *words, "-n", ranks, folder / f"exchange_{shape}_{mpi}"], 9):
                print(f"8192² {shape}    {ours / 1e3:8.2f} us by directives, {theirs / 1e3:8.2f} us by {mpi}: {ratio} (bar 1; {where}, {rounds} rounds)")


def program(loops_in_it):
    text = ["#include <math.h>", "#pragma xmp nodes p[*]", "#pragma xmp template t[256][256]", "#pragma xmp distribute t[block][*] onto p"]
    for name in "uvw":
        text += [f"double {name}[256][256];", f"#pragma xmp align {name}[i][j] with t[i][j]", f"#pragma xmp shadow {name}[1][0]"]
    for k in range(loops_in_it):
        a, b, c = ("uvw"[(k + s) % 3] for s in range(3))
        text += [f"double step_{k}(int n, double f) {{", "    double sum = 0;", "    for (int r = 0; r < n; r++)", "        f = sqrt(f + r);",
                 "#pragma xmp loop (i, j) on t[i][j] reduction(+ : sum)", f"    for (int i = 1; i < 255; i++)", "        for (int j = 1; j < 255; j++) {",
                 f"            double const x = {a}[i - 1][j] + {a}[i + 1][j] - 2 * {a}[i][j];",
                 f"            double const y = {b}[i][j - 1] + {b}[i][j + 1] - 2 * {b}[i][j];",
                 f"            {c}[i][j] = f * x + {k + 1} * y;", "            if (x > y)", "                sum += x * x - y;", "        }",
                 "    if (n > 3)", "        sum = fabs(sum) / n;", "    return sum;", "}", ""]
    return "\n".join([*text, "int main(void) {", "    return (int)step_0(2, 1);", "}", ""])


def compiler(sode, folder):
    source = folder / "lines.c"
    text = program(54)
    source.write_text(text)
    rows = []
    for _ in range(7):
        times = []
        for command in ([sode, "cc", "-O2", source, "-o", folder / "ours", "-lm"],
                        ["cc", "-O2", "-Wno-unknown-pragmas", source, "-o", folder / "theirs", "-lm"]):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run(*command)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        rows.append(times)
    ours, theirs = (statistics.median(r[k] for r in rows) for k in (0, 1))
    print(f"compiler     {ours * 1e3:8.0f} ms sode cc -O2, {theirs * 1e3:8.0f} ms cc -O2, {len(text.splitlines())} lines: "
          f"{interval([a / b for a, b in rows])} times (bar 2)")


def main(sode, folder, *wanted):
    for part in (build, loops, himeno, calls, exchange, compiler):
        if not wanted or part.__name__ in wanted:
            part(sode, pathlib.Path(folder))
    for shape in SHAPES:
        if f"exchange={shape}" in wanted:
            exchange(sode, pathlib.Path(folder), shape)


main(*sys.argv[1:])
