# SPDX-License-Identifier: Apache-2.0
"""What programs say that `sode cc -fsode-check` compiled, when they make mistakes: checks_test.py SODE COMPILER CASES [OPTION ...]. The messages of ranks may
differ, so one of them must be the wanted one; a line with //~ is warned of when it is compiled; a program without a marked line must end well."""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

FIELD = """#pragma xmp nodes p[*]
#pragma xmp template t[16]
#pragma xmp distribute t[block] onto p
double u[16], v[16];
#pragma xmp align u[i] with t[i]
#pragma xmp align v[i] with t[i]
#pragma xmp shadow u[1]
"""
MARK = re.compile(r" *//[!~] (?P<said>.*?)(?: //\? (?P<help>.*))?$")


def cases(text):
    for part in text.split("\n== ")[1:]:
        title, _, code = part.partition("\n")
        yield title, code.replace("FIELD\n", FIELD)


def wanted(code):
    for number, line in enumerate(code.splitlines(), 1):
        if "//~" not in line and (found := MARK.search(line)):
            return number, found["said"], found["help"] or ""
    return None


def judge(folder, sode, compiler, options, number, title, code):
    source, program = folder / str(number) / "program.c", folder / str(number) / "program"
    source.parent.mkdir()
    source.write_text("\n".join(MARK.sub("", line) for line in code.splitlines()) + "\n")
    built = subprocess.run([sode, "cc", f"--with={compiler}", *options, "-fsode-check", "program.c", "-o", str(program)], cwd=source.parent,
                           capture_output=True, text=True, timeout=60)
    warned = re.findall(r"^[^ ]*program\.c:(\d+):\d+: warning: (.*)$", built.stderr, re.MULTILINE)
    warnings = [(number, line.split("//~ ", 1)[1]) for number, line in enumerate(code.splitlines(), 1) if "//~ " in line]
    if built.returncode != 0 or len(warned) != len(warnings) or not all(int(l) == n and w.startswith(s) for (l, w), (n, s) in zip(warned, warnings)):
        return f"== {title}\nis not compiled quietly:\n{built.stderr}"
    run = subprocess.run([sode, "run", "-n", "3", "--timeout", "60", "--", str(program)], cwd=source.parent, capture_output=True, text=True, timeout=70)
    want, said = wanted(code), run.stderr.replace(f"{source.parent.resolve()}/", "")
    if want is None:
        return f"== {title}\nmust be quiet:\n{said}" if run.returncode != 0 or said else ""
    line, problem, suggestion = want
    messages = re.findall(r"^program\.c:(\d+): sode: error: (.*)\n  (.*)$", said, re.MULTILINE)
    good = any(int(l) == line and p.startswith(problem) and s.startswith(suggestion) for l, p, s in messages)
    return "" if good and run.returncode != 0 else f"== {title}\nmissing: {line}: {problem}\n{suggestion}\nsaid:\n{said}"


def main(sode, compiler, list_of_them, *options):
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as workers:
        jobs = [workers.submit(judge, pathlib.Path(name).resolve(), sode, compiler, options, number, title, code)
                for number, (title, code) in enumerate(cases(pathlib.Path(list_of_them).read_text()))]
        complaints = [job.result() for job in jobs]
    print("\n".join(c for c in complaints if c))
    failed = sum(bool(c) for c in complaints)
    print(f"{len(complaints) - failed} of {len(complaints)} checked programs say what is wanted")
    return 1 if failed or not complaints else 0


sys.exit(main(*sys.argv[1:]))
