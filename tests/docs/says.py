# SPDX-License-Identifier: Apache-2.0
"""says.py PAGE SOURCE [--status N] COMMAND ...: runs COMMAND in an empty folder and compares what it says on stdout with the first
```text block that follows the program SOURCE in PAGE. With --status the command must end with it, and every line of the block must be
among those of stderr (programs that fail on several ranks say more than one). With --as-far-as PATTERN what is compared of each line
ends where the regular expression PATTERN matches first: what follows is this machine's (and the block may be ```console)."""
import pathlib
import re
import subprocess
import sys
import tempfile


def expected(page, source):
    text = page.read_text(encoding="utf-8")
    shown = text[text.index(f"]({source})"):]
    return re.search(r"^```(?:text|console)\n(.*?)^```", shown, re.DOTALL | re.MULTILINE).group(1)


def main(page, source, *command):
    status, compared = 0, lambda text: text
    if command[0] == "--status":
        status, command = int(command[1]), command[2:]
    if command[0] == "--as-far-as":
        own, command = re.compile(command[1]), command[2:]
        compared = lambda text: [own.split(line, maxsplit=1)[0].rstrip() for line in text.splitlines()]
    want = expected(pathlib.Path(page), source)
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=50)
    if status:
        right = set(want.splitlines()) <= set(said.stderr.splitlines())
    else:
        right = compared(said.stdout) == compared(want)
    if said.returncode == status and right:
        return 0
    print(f"{' '.join(command)}\nended with {said.returncode}, not {status}, or said\n{said.stdout}{said.stderr}and not\n{want}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
