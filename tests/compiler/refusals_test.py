# SPDX-License-Identifier: Apache-2.0
"""What sode cc says of wrong programs, sode c++ where a title begins with C++: refusals_test.py SODE REFUSALS [OPTION ...]. Every message is looked for at its line, what
it offers to write instead stands below the caret, and no other error may be there. A message of sode cc says what to do, or why it cannot: behind a semicolon, a
colon or in brackets, by a word like 'must', or in a note."""
import pathlib
import re
import subprocess
import sys
import tempfile

HELP = re.compile(r"[;(:?]| must | needs | may | but | nor |twice|^use of undeclared|^expected|^member reference|^subscripted value|^missing")
ERROR = re.compile(r"^[^\s:]+:(\d+):\d+: (error|note): (.*)$", re.MULTILINE)


def cases(text):
    for part in text.split("\n== ")[1:]:
        title, _, code = part.partition("\n")
        yield title, code


def wanted(code):
    """(line, kind, text) of each message."""
    for number, line in enumerate(code.splitlines(), 1):
        for mark, kind in (("//! ", "error"), ("//+ ", "note"), ("//= ", "instead")):
            if mark in line:
                yield number, kind, re.split(r" *//[!+=] ", line.split(mark, 1)[1])[0]


def main(sode, list_of_them, *options):
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for title, code in cases(pathlib.Path(list_of_them).read_text()):
            count += 1
            cxx = title.startswith("C++")
            source = pathlib.Path(folder) / ("program.cpp" if cxx else "program.c")
            source.write_text("\n".join(re.sub(r" *//[!+=] .*", "", line) for line in code.splitlines()) + "\n")
            run = subprocess.run([sode, "c++" if cxx else "cc", *options, "--emit", str(source)], capture_output=True, text=True, timeout=60)
            said = [(int(line), kind, text) for line, kind, text in ERROR.findall(run.stderr)]
            complaints = [f"missing: {line}: {kind}: {text}" for line, kind, text in wanted(code) if kind != "instead"
                          and not any(line == l and kind == k and t.startswith(text) for l, k, t in said)]
            complaints += [f"missing below the caret: {text}" for _, kind, text in wanted(code)
                           if kind == "instead" and not re.search(rf"\n *\^~*\n *{re.escape(text)}\n", run.stderr)]
            complaints += [f"says neither why nor what to do: {text}" for k, (_, kind, text) in enumerate(said)
                           if kind == "error" and not HELP.search(text) and [s[1] for s in said[k + 1:k + 2]] != ["note"]]
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
