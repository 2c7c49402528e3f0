# SPDX-License-Identifier: Apache-2.0
"""commands.py SODE ROOT: takes every `sode COMMAND --option ...` that documents, manual pages, comments of public headers and of examples,
data of results, and the help texts themselves print, and looks whether `sode COMMAND --help` (`sode bench WHAT --help`) knows the command,
the options, and, where it lists them, the values. Commands of `sode plan` in blocks of docs/ are run, too."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

NOT_READ = re.compile(r"docs/(decisions/|lab-book)")
READ = re.compile(r"[^/]*\.md|docs/.*\.(md|1|json)|(bench|tools|tasks|interpose|hdf5|compiler|examples)/.*\.md|(include|examples|docs)/.*\.(hpp|h|cpp|c|f90|cu)")
PRINTED = re.compile(r"(?<![\w/.-])(?:[\w./]+/bin/)?sode ([a-z][a-z+-]*)(?![\w:.'])([^`\n]*)")
CODE = re.compile(r"^```[^\n]*\n(.*?)^```|(?<!`)(`[^`\n]+`)(?!`)", re.DOTALL | re.MULTILINE)
COMPILERS = ("cc", "c++", "mpicc", "mpicxx", "mpifort")  # they pass on what is not theirs
ENDS = re.compile(r"(?:^|(?<=\s))(?:#|//|\||>|<|&&|;|\*/|\.\.\.|…)|[;)](?=\s|$)|\s\s\s|\\[nf]|[\"“”]")


def said(*words):
    return subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout


class Commands:
    """What the help texts say of commands and their options."""

    def __init__(self, sode):
        self.sode = sode
        listed = re.search(r"^Subcommands:\n(.*?)(?=^\S|\Z)", said(sode, "--help"), re.DOTALL | re.MULTILINE).group(1)
        self.names = re.findall(r"^  ([a-z+]+) ", listed, re.MULTILINE)
        self.options = {}

    def of(self, *command):
        """Options of a command, each with what stands for its value in the help ("" for none)."""
        if command not in self.options:
            text, found = said(self.sode, *command, "--help"), {}
            for line in re.findall(r"^ *(-.*)$", text, re.MULTILINE):
                head = re.split(r"  | REQUIRED| Needs:|:(?=[A-Z{])", line)[0]
                value = re.search(r"[= ](?!-)(\S.*)", re.sub(r"(-[\w+-]+)(?:,| [A-Z]+,)\s*(?=-)", r"\1 ", head))
                for name in re.findall(r"(?<![\w-])-[\w+-]+", head.split("=")[0] if "|" in head else head):
                    found[name] = value.group(1) if value else ""
            self.options[command] = found
        return self.options[command]


def complaint(commands, name, rest):
    """What is wrong with `sode NAME REST`, or None."""
    if name not in commands.names:
        return f"there is no command `sode {name}`"
    words = ENDS.split(rest, maxsplit=1)[0].replace("[", " ").replace("]", " ").split()
    command = (name,)
    if name == "bench" and words and re.fullmatch(r"[a-z-]+", words[0]):
        command = (name, words.pop(0))
        if command[1] not in said(commands.sode, "bench", "--help"):
            return f"there is no command `sode bench {command[1]}`"
    known = dict(commands.of(*command))
    if name == "run":
        known["-np"] = "N"
    value_of = None
    for word in words:
        if value_of:
            option, value_of = value_of, None
            continue
        if word == "--" or not word.startswith("-"):
            if name in ("run", "task", "gdb", "tune"):
                return None
            continue
        option, _, value = word.rstrip(",.:").partition("=")
        if option in ("-h", "--help", "-"):
            continue
        if option not in known:
            if name in COMPILERS and not option.startswith("--"):
                continue
            return f"`sode {' '.join(command)}` has no option {option}"
        shape = known[option].split("=")[0]
        if value and re.fullmatch(r"[a-z]+(\|[a-z]+)+", shape) and value not in shape.split("|"):
            return f"`sode {' '.join(command)}` {option} knows {shape}, and not {value}"
        value_of = option if known[option] and not value else None
    return None


def pieces(name, text):
    """The parts of a file that may be commands."""
    if name.endswith(".md"):
        return [block or span for block, span in CODE.findall(text)]
    if name.endswith(".1"):
        return [re.sub(r"\\-", "-", re.sub(r"\\f[A-Z]|^\.\w+ ", "", text, flags=re.MULTILINE))]
    return [text]


def planned(root, text):
    """Commands of `sode plan` in the blocks of a page, of files that are there."""
    for block, _ in CODE.findall(text):
        for line in re.findall(r"^(?:\$ )?sode plan .*", block, re.MULTILINE):
            words = shlex.split(line.lstrip("$ "), comments=True)
            words = words[:words.index(">")] if ">" in words else words
            profile = words[words.index("--profile") + 1] if "--profile" in words else "default"
            if profile == "default" or pathlib.Path(root, profile).exists():
                yield words


def main(sode, root):
    root, commands, wrong, looked_at, ran = pathlib.Path(root).resolve(), Commands(sode), [], 0, 0
    sources = {str(path.relative_to(root)): path.read_text(encoding="utf-8", errors="replace")
               for top in [*root.glob("*.md"), *(root / f for f in "docs bench tools tasks interpose hdf5 compiler examples include".split())]
               for path in ([top] if top.is_file() else sorted(top.rglob("*"))) if path.is_file()}
    sources = {name: text for name, text in sources.items() if READ.fullmatch(name) and not NOT_READ.match(name)}
    for name in commands.names:
        sources[f"sode {name} --help"] = said(sode, name, "--help")
    for name, text in sources.items():
        for piece in pieces(name, text):
            for command, rest in PRINTED.findall(piece):
                if name.endswith((".hpp", ".h", ".cpp", ".c", ".f90", ".cu")) or "--help" in name:
                    if command not in commands.names:
                        continue  # a sentence
                looked_at += 1
                if found := complaint(commands, command, rest):
                    wrong.append(f"{name}: {found}, in: sode {command}{rest.rstrip()}")
    with tempfile.TemporaryDirectory() as folder:
        for top in root.iterdir():
            os.symlink(top, pathlib.Path(folder, top.name))
        for name, text in sources.items():
            for words in planned(root, text) if name.startswith("docs/") and name.endswith(".md") else ():
                done = subprocess.run([sode, *words[1:]], cwd=folder, capture_output=True, text=True)
                ran += 1
                if done.returncode:
                    wrong.append(f"{name}: `{shlex.join(words)}` ended with {done.returncode}: {done.stderr.strip()}")
    print("\n".join(wrong) or f"{looked_at} commands printed, {ran} of them run")
    return 1 if wrong or looked_at < 100 or not ran else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
