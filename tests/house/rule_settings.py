# SPDX-License-Identifier: Apache-2.0
"""A name that begins with SODE_ is an environment variable of the table in src/base/config.cpp, which is also in docs/environment.md, or
a CMake variable, a macro, or a constant of sode.h, each of which stands somewhere. Anything else is a setting that nobody documents, or a stale name."""
import re

NAME = re.compile(r"\bSODE_[A-Z][A-Za-z0-9_]*")
TABLE = re.compile(r'entry\{\s*\{"(SODE_[A-Z_]+)"')
OLD_NAME = re.compile(r',\s*"(SODE_[A-Z_]+)"\}')  # of an entry of that table, still obeyed
PRIVATE = "SODE_BOOT_"  # between `sode run` and its ranks
MADE_BY_CMAKE = re.compile(r"\b(?:set|option|list\(APPEND|find_program|find_library)\(?\s*(SODE_[A-Za-z0-9_]+)|(SODE_[A-Z0-9_]+)=")
MACRO = re.compile(r"^\s*#\s*(?:define\s+|ifn?def\s+|(?:el)?if\s.*\bdefined\()(SODE_[A-Za-z0-9_]+)", re.MULTILINE)
CONSTANT = re.compile(r"^\s*(SODE_[A-Z0-9_]+) = \d", re.MULTILINE)
C_HEADER = "include/sode/sode.h"
# Tests misspell on purpose.
ELSEWHERE = ("tests/", "bench/tests/", "LICENSE")


def is_cmake(name):
    return name.endswith(("CMakeLists.txt", ".cmake", ".in"))


def findings(tree):
    settings = set(TABLE.findall(tree.text("src/base/config.cpp")))
    if not settings:
        return ["src/base/config.cpp: its table of settings was not found"]
    documented = set(re.findall(r"^\| `(SODE_[A-Z_]+)`", tree.text("docs/environment.md"), re.MULTILINE))
    found = [f"docs/environment.md: {name} is not described" for name in sorted(settings - documented)]
    found += [f"docs/environment.md: {name} is described, but nothing reads it" for name in sorted(documented - settings)]

    files = [name for name in tree.files() if not name.startswith(ELSEWHERE) and not name.endswith(".png")]
    known = settings | set(OLD_NAME.findall(tree.text("src/base/config.cpp")))
    for name in files:
        if is_cmake(name):
            known.update(a or b for a, b in MADE_BY_CMAKE.findall(tree.text(name)))
        else:
            known.update(MACRO.findall(tree.text(name)))
            if name == C_HEADER:
                known.update(CONSTANT.findall(tree.text(name)))
    for name in files:
        if is_cmake(name):
            continue
        for word in sorted(set(NAME.findall(tree.text(name)))):
            if word not in known and not word.startswith(PRIVATE):
                found.append(f"{name}: {word} is no setting, no CMake variable and no macro")
    return found
