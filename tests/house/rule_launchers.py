# SPDX-License-Identifier: Apache-2.0
"""Tests start programs of an MPI with SODE_LAUNCH_NAME, which works as root and on few cores, and not with the bare launcher: that one
works where whoever writes the test has told Open MPI so by the environment, and fails elsewhere."""
import re

BARE = re.compile(r"(?<!\")\$\{SODE_MPIRUN_")  # not of a definition: NAME="${SODE_MPIRUN_...}", whose program adds the words


def findings(tree):
    found = []
    for name in tree.files():
        if not name.endswith(("CMakeLists.txt", ".cmake")) or name == "cmake/SodeMpi.cmake":
            continue
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            if BARE.search(line):
                found.append(f"{name}:{number}: starts a program with SODE_MPIRUN_... (use SODE_LAUNCH_..., which works as root)")
    return found
