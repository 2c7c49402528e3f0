# SPDX-License-Identifier: Apache-2.0
"""What sode cc says of wrong programs, sode c++ where a title begins with C++: refusals_test.py SODE REFUSALS [OPTION ...]. Every message is looked for at its line, and no other error may be there."""
import pathlib
import re
import subprocess
import sys
import tempfile

ERROR = re.compile(r"^[^\s:]+:(\d+):\d+: (error|note): (.*)$", re.MULTILINE)


def cases(text):
    for part in text.split("\n== ")[1:]:
        title, _, code = part.partition("\n")
        yield title, code


def wanted(code):
    """(line, kind, text) of each message."""
    for number, line in enumerate(code.splitlines(), 1):
        for mark, kind in (("//! ", "error"), ("//+ ", "note")):
            if mark in line:
                yield number, kind, line.split(mark, 1)[1]


def main(sode, list_of_them, *options):
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for title, code in cases(pathlib.Path(list_of_them).read_text()):
            count += 1
            cxx = title.startswith("C++")
            source = pathlib.Path(folder) / ("program.cpp" if cxx else "program.c")
            source.write_text("\n".join(re.sub(r" *//[!+] .*", "", line) for line in code.splitlines()) + "\n")
            run = subprocess.run([sode, "c++" if cxx else "cc", *options, "--emit", str(source)], capture_output=True, text=True, timeout=60)
            said = [(int(line), kind, text) for line, kind, text in ERROR.findall(run.stderr)]
            complaints = [f"missing: {line}: {kind}: {text}" for line, kind, text in wanted(code)
                          if not any(line == l and kind == k and t.startswith(text) for l, k, t in said)]
            errors = [s for s in said if s[1] == "error"]
            if len(errors) != sum(kind == "error" for _, kind, _ in wanted(code)):
                complaints.append("other errors")
            if run.returncode != 1 or run.stdout:
                complaints.append(f"exit status {run.returncode}, and {len(run.stdout)} characters of output")
            if complaints:
                failed += 1
                print(f"== {title}\n" + "\n".join(complaints) + f"\nsaid:\n{run.stderr}")
    print(f"{count - failed} of {count} refusals are as wanted")
    return 1 if failed or count == 0 else 0


sys.exit(main(*sys.argv[1:]))
