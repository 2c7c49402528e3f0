# SPDX-License-Identifier: Apache-2.0
"""Every source file says under which licence it is, in one of its first lines (a `#!` or a preamble may stand above)."""
import pathlib

LINE = "SPDX-License-Identifier: Apache-2.0"
SUFFIXES = {".cpp", ".hpp", ".c", ".h", ".cu", ".cmake", ".in", ".py", ".sh"}


def wants_it(tree, name):
    path = pathlib.Path(name)
    return path.suffix in SUFFIXES or path.name == "CMakeLists.txt" or tree.text(name).startswith("#!")


def findings(tree):
    return [f"{name}: the line \"{LINE}\" is missing" for name in tree.files()
            if wants_it(tree, name) and not any(LINE in line for line in tree.text(name).splitlines()[:3])]
