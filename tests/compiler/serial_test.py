# SPDX-License-Identifier: Apache-2.0
"""Programs with directives are serial programs for a compiler that ignores these, but for coarrays, array sections, extents at file scope that are known at run
time, and xmp_desc_of, which `sode cc --serial` takes: serial_test.py SODE COMPILER INCLUDE LIBRARIES SOURCE ... Each source is compiled by COMPILER, or the line
of the error has one of these; and by `sode cc --serial`; both programs must find that all is well."""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

EXCEPTED = re.compile(r"\[[^\]]*:[^\]]*\]|: *\[|xmp_desc_of|xmp_malloc|^(static )?\w+ \w+\[[a-z]")
# What they test is there with nodes only: halos that wrap around, iterations in halos, gblock as inquired.
NEEDS_NODES = {"halos", "windows", "nested_tasks"}
NEEDS_WIDTHS = {"inquiry", "nested_tasks"} # and tasks of nodes that are not there


def options(source):
    return ["-O1", *(["-fopenmp"] if source.stem == "threads" else [])]


def run(command, **how):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, errors="replace", **how)


def plain(compiler, include, libraries, source, program):
    flags = [*options(source), "-Wno-unknown-pragmas", f"-I{include}"]
    built = run([compiler, *flags, "-c", str(source), "-o", program + ".o"])
    if built.returncode != 0:
        at = re.search(rf"{re.escape(str(source))}:(\d+):\d+: error: (.*)", built.stderr)
        line = source.read_text().splitlines()[int(at[1]) - 1] if at else built.stderr
        names = re.search(r"‘(\w+)’ undeclared", built.stderr)  # that of nodes or a template, in xmp_desc_of()
        return "" if EXCEPTED.search(line) or (names and "xmp_desc_of" in line) else f"{source}: {line}\n{built.stderr}"
    linked = run([compiler, *options(source), program + ".o", f"-L{libraries}", "-lsode-xmp", f"-Wl,-rpath,{libraries}", "-lm", "-o", program])
    if linked.returncode != 0:
        return "" if "xmp_desc_of" in linked.stderr else linked.stderr
    if source.stem in NEEDS_NODES:
        return ""
    ran = run([program])
    return f"{source}: {ran.returncode}\n{ran.stdout}{ran.stderr}" if ran.returncode else ""


def serial(sode, compiler, source, program):
    built = run([sode, "cc", f"--with={compiler}", *options(source), "--serial", str(source), "-o", program, "-lm"])
    if built.returncode != 0:
        return f"{source}: --serial\n{built.stderr}"
    if source.stem in NEEDS_WIDTHS:
        return ""
    ran = run([program])
    return f"{source}: --serial: {ran.returncode}\n{ran.stdout}{ran.stderr}" if ran.returncode else ""


def refused(sode, compiler, folder):
    """A serial program on several nodes says so."""
    source, program = folder / "serial.c", str(folder / "serial")
    source.write_text("int main(void) {}\n")
    built = run([sode, "cc", f"--with={compiler}", "--serial", str(source), "-o", program])
    ran = run([sode, "run", "-n", "2", "--", program])
    said = "started on 2 nodes, but was compiled with --serial" in ran.stderr
    return "" if built.returncode == 0 and ran.returncode != 0 and said else f"on two nodes: {built.stderr}{ran.stderr}"


def main(sode, compiler, include, libraries, *sources):
    sources = [pathlib.Path(s) for s in sources]
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as workers:
        jobs = [workers.submit(refused, sode, compiler, pathlib.Path(name))]
        for s in sources:
            jobs.append(workers.submit(plain, compiler, include, libraries, s, f"{name}/{s.stem}_plain"))
            if not s.stem.startswith("batch_") or s.stem in ("batch_3", "batch_11"):
                jobs.append(workers.submit(serial, sode, compiler, s, f"{name}/{s.stem}"))
        complaints = [c for c in (job.result() for job in jobs) if c]
    print("\n".join(complaints))
    print(f"{len(jobs) - len(complaints)} of {len(jobs)} serial programs are well")
    return 1 if complaints or len(jobs) < 20 else 0


sys.exit(main(*sys.argv[1:]))
