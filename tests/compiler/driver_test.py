# SPDX-License-Identifier: Apache-2.0
"""`sode cc` is a compiler driver: driver_test.py SODE COMPILER. A program of several files, in folders with blanks and with headers that include each other from
there, is compiled with options of cc of all kinds, alone and by make."""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

FILES = {
    "src/sub/inner.h": """#pragma once
#include "../../shared files/size.h"
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
extern double u[N];
#pragma xmp align u[i] with t[i]
#pragma xmp shadow u[1]
""",
    "src/sub/outer.h": '#include "inner.h"\n',
    "shared files/size.h": "#define N 24\n",
    "src/main.c": """#include "sub/outer.h"
double fill(void);
int main(void) { return fill() != N * (N - 1) / 2 * SCALE || sizeof NAME != 4; }
""",
    "with blank/field.c": """#include "../src/sub/inner.h"
double u[N];
double fill(void) {
    double s = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) u[i] = i * SCALE;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = 0; i < N; i++) s += u[i];
    return s;
}
""",
    "src/defs.h": '#define SCALE 2\n#define NAME "a b"\n',
    "args": "-DSCALE=2 '-DNAME=\"a b\"' -O2\n",
    "Makefile": """CC = $(SODE) cc --with=$(COMPILER)
CFLAGS = -O1 -MMD -include src/defs.h
program: main.o field.o
	$(CC) $^ -o $@
main.o: src/main.c
	$(CC) $(CFLAGS) -c $< -o $@
field.o: with\\ blank/field.c
	$(CC) $(CFLAGS) -c 'with blank/field.c' -o $@
-include main.d field.d
""",
}
DEFINED = ["-DSCALE=2", '-DNAME="a b"']
SOURCES = ["src/main.c", "with blank/field.c"]


class driver:
    def __init__(self, sode, compiler, folder):
        self.sode, self.compiler, self.folder, self.wrong = sode, compiler, folder, []

    def run(self, *command, **how):
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120, **how)

    def cc(self, *words, **how):
        return self.run(self.sode, "cc", f"--with={self.compiler}", *words, **how)

    def want(self, what, good, ran):
        if not good:
            self.wrong.append(f"{what}: exit status {ran.returncode}\n{ran.stdout[-500:]}{ran.stderr[-1500:]}")

    def runs(self, what, *words):
        """The words make `program`, which finds that all is well."""
        (self.folder / "program").unlink(missing_ok=True)
        built = self.cc(*words, "-o", "program")
        self.want(f"{what} is compiled quietly", built.returncode == 0 and not built.stderr, built)
        ran = self.run(self.sode, "run", "-n", "2", "--timeout", "30", "--", "./program") if built.returncode == 0 else built
        self.want(f"{what} runs", ran.returncode == 0, ran)

    def fails(self, what, text, *words, **how):
        ran = self.cc(*words, **how)
        self.want(f"{what} is refused", ran.returncode != 0 and text in ran.stderr, ran)


def options(d):
    (d.folder / "src/only.c").write_text("#ifdef _XCALABLEMP\nint main(void) { return 0; }\n#endif\n")
    d.runs("_XCALABLEMP", "src/only.c")
    (d.folder / "src/root.c").write_text("#include <math.h>\nint main(int n, char** words) { return sqrt(n) + cbrt(n) != 2; }\n")
    d.runs("without -lm", "src/root.c")
    d.runs("many files", *DEFINED, *SOURCES)
    d.runs("a response file", "@args", *SOURCES)
    d.runs("-include", "-std=c11", "-include", "src/defs.h", *SOURCES)
    d.runs("-imacros", "-std=gnu2x", "-imacros", "src/defs.h", *SOURCES)
    d.runs("the preprocessor's own", '-Wp,-DSCALE=2', '-DNAME="a b"', *SOURCES)
    d.runs("warnings and speed", *DEFINED, "-Wall", "-Wextra", "-Werror", "-O3", "-g", "-march=native", "-flto", "-I", "src", "-isystem", "src", *SOURCES)
    shutil.copy(d.folder / "src/main.c", d.folder / "src/main.txt")
    d.runs("-x c", *DEFINED, "-x", "c", "src/main.txt", "-x", "none", "with blank/field.c")
    d.runs("-fopenmp", *DEFINED, "-fopenmp", *SOURCES)
    (d.folder / "src/turns.c").write_text("""#pragma xmp nodes p[*]
#pragma xmp template t[24]
#pragma xmp distribute t[cyclic(3)] onto p
int main(void) {
    int n = 0;
#pragma xmp loop on t[i]
#pragma omp parallel for
    for (int i = 0; i < 24; i += STEP) n += i < 0;
    return n;
}
""")
    d.runs("threads of a cyclic dimension", "-DSTEP=1", "-fopenmp", "src/turns.c")
    d.fails("another step of such a loop", "src/turns.c:8:5: error: threads cannot share this loop", "-DSTEP=2", "-fopenmp", "src/turns.c")
    (d.folder / "src/beyond.c").write_text("""int a[8], b[4][6];
int main(void) {
    a[4:5] = 0;
    b[0:2][0:6:2] = 1;
    a[0:3] = a[1:3:-1];
    a[7:8:-1] = a[0:8];
    a[0:0] = 1;
}
""")
    beyond = d.cc("-c", "src/beyond.c", "-o", "beyond.o")
    told = [f"src/beyond.c:{place}: warning: this section contains element {at}, and the array has elements 0 to {last}" for place, at, last in (("3:6", 8, 7), ("4:11", 10, 5), ("5:15", -1, 7))]
    d.want("sections beyond the array are warnings", beyond.returncode == 0 and all(t in beyond.stderr for t in told) and beyond.stderr.count("warning: this") == 3, beyond)
    objects = d.cc(*DEFINED, "-c", *SOURCES)
    d.want("objects have their sources' names", objects.returncode == 0 and (d.folder / "main.o").exists() and (d.folder / "field.o").exists(), objects)
    d.runs("objects", "main.o", "field.o")
    library = d.cc(*DEFINED, "-shared", "-fPIC", "with blank/field.c", "-o", "libfield.so")
    d.want("a library", library.returncode == 0, library)
    d.runs("a program and a library", *DEFINED, "src/main.c", "-L.", "-lfield", "-Wl,-rpath," + str(d.folder))
    for word, text in (("-E", "sode_xmp_unit"), ("-S", "sode_xmp_unit"), ("--emit", "#line 1"), ("-M", "inner.h"), ("-MM", "main.o: src/main.c")):
        ran = d.cc(*DEFINED, word, "src/main.c", *(["-o", "-"] if word == "-S" else []))
        d.want(f"{word} prints", ran.returncode == 0 and text in ran.stdout and ("sode-cc-" not in ran.stdout or word not in ("-M", "-MM")), ran)
    shown = d.cc(*DEFINED, "--show", "-fsyntax-only", "src/main.c")
    d.want("--show", shown.returncode == 0 and "sode-rewrite" in shown.stderr, shown)
    emitted = d.cc(*DEFINED, "--emit", "with blank/field.c")
    d.want("no array overlaps another", "*__restrict __sode_b_" in emitted.stdout, emitted)
    d.want("without -fsode-check nothing is checked", "sode_xmp_element" not in emitted.stdout and "sode_xmp_check" not in emitted.stdout, emitted)


def mistakes(d):
    d.fails("a file that is not there", "there is no such file", "nothere.c")
    d.fails("standard input", "standard input", "-x", "c", "-c", "-", "-o", "x.o", input="int main(void) {}\n")
    d.fails("an option without its word", "-o has no value", *DEFINED, "src/main.c", "-o")
    d.fails("an option that does not exist", "-fsode-chek", *DEFINED, "-fsode-chek", "src/main.c")
    d.fails("an error of the user", "main.c:3:", "src/main.c")


def dependencies(d):
    """The lists name what the user has, and make does nothing twice, but what a header changes."""
    written = d.cc(*DEFINED, "-MMD", "-MF", "list.d", "-c", "with blank/field.c", "-o", "x.o")
    text = (d.folder / "list.d").read_text()
    d.want("a list of dependencies " + text, "with\\ blank/field.c" in text and "sub/inner.h" in text and "sode-cc-" not in text, written)
    make = ["make", f"SODE={shlex.quote(d.sode)}", f"COMPILER={d.compiler}", "program"]
    for what, lines in (("first", 3), ("nothing", 0), ("header", 3)):
        if what != "first":
            for name in ("main.o", "field.o", "program"):
                os.utime(d.folder / name, (time.time() - 5, time.time() - 5))
            os.utime(d.folder / "program")
        if what == "header":
            (d.folder / "src/sub/inner.h").write_text(FILES["src/sub/inner.h"] + "\n")
            os.utime(d.folder / "program", (time.time() - 5, time.time() - 5))
        if what == "nothing":
            for path in FILES:
                os.utime(d.folder / path, (time.time() - 10, time.time() - 10))
        if what == "first":
            for name in ("main.o", "field.o", "program"):
                (d.folder / name).unlink(missing_ok=True)
        made = d.run(*make)
        d.want(f"make, {what}", made.returncode == 0 and made.stdout.count(" cc --with") == lines, made)


def main(sode, compiler):
    with tempfile.TemporaryDirectory() as name:
        d = driver(sode, compiler, pathlib.Path(name).resolve())
        for path, text in FILES.items():
            (d.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (d.folder / path).write_text(text)
        options(d)
        mistakes(d)
        dependencies(d)
    print("\n".join(d.wrong) if d.wrong else "all is as with cc")
    return 1 if d.wrong else 0


sys.exit(main(*sys.argv[1:]))
