# SPDX-License-Identifier: Apache-2.0
"""Whatever the build looks for or includes is in a package of scripts/packages.txt; a fresh machine has nothing else."""
import re

# What CMake files ask for -> the Debian package that has it. None: part of every machine that can build C++ at all.
FOUND_BY_CMAKE = {
    "benchmark": "libbenchmark-dev", "ccache": "ccache", "CLI11": "libcli11-dev", "doxygen": "doxygen", "fftw3": "libfftw3-dev", "fmt": "libfmt-dev", "GTest": "libgtest-dev",
    "h5dump": "hdf5-tools", "hdf5": "libhdf5-dev", "hdf5-serial": "libhdf5-dev", "hwloc": "libhwloc-dev", "ip": "iproute2", "libpng": "libpng-dev",
    "mpicc.mpich": "libmpich-dev", "mpicc.openmpi": "libopenmpi-dev", "gfortran": "gfortran", "mpifort.mpich": "gfortran", "mpifort.openmpi": "gfortran",
    "mpirun.mpich": "mpich", "mpirun.openmpi": "openmpi-bin", "nlohmann_json": "nlohmann-json3-dev", "OpenMP": "libomp-dev",
    "gcc": "g++", "help2man": "help2man", "patch": "patch", "PkgConfig": "pkg-config",
    "PNG": "libpng-dev", "Python3": "python3", "dot": "graphviz", "llvm-config-14": "llvm-14-dev", "Threads": None, "sode": None,
    "unshare": "util-linux", "nvcc": None,  # NVIDIA's own; whatever needs it is left out where it is not
}
INCLUDED = {
    "benchmark/": "libbenchmark-dev", "clang/": "libclang-14-dev", "llvm/": "llvm-14-dev", "CLI/": "libcli11-dev", "fftw3.h": "libfftw3-dev", "fmt/": "libfmt-dev", "gmock/": "libgmock-dev", "gtest/": "libgtest-dev",
    "hdf5.h": "libhdf5-dev", "hwloc": "libhwloc-dev", "nlohmann/": "nlohmann-json3-dev", "png.h": "libpng-dev",
}
ASKS = re.compile(r"^[^#\n]*?\b(find_package|find_program|pkg_check_modules)\(([^)]*)\)", re.MULTILINE)
KEYWORDS = {"REQUIRED", "GLOBAL", "IMPORTED_TARGET", "QUIET", "NAMES"}


def listed(tree):
    lines = (line.split("#")[0].strip() for line in tree.text("scripts/packages.txt").splitlines())
    return {line for line in lines if line and not line.startswith("[")}


def asked_for(tree):
    """Pairs (file, name) of what CMake files look for."""
    for name in tree.files():
        if not (name.endswith("CMakeLists.txt") or name.endswith(".cmake")):
            continue
        for command, arguments in ASKS.findall(tree.text(name)):
            words = [word for word in arguments.split() if word not in KEYWORDS]
            if command == "find_package":
                yield name, words[0]
                continue
            for word in words[1:]:
                # mpicc.${mpi}: the loop variable stands for each MPI that there is.
                for mpi in ("openmpi", "mpich") if "${mpi}" in word else ("",):
                    yield name, word.replace("${mpi}", mpi)


def findings(tree):
    packages = listed(tree)
    found = []
    for name, wanted in asked_for(tree):
        if wanted not in FOUND_BY_CMAKE:
            found.append(f"{name}: looks for {wanted}, and tests/house/rule_packages.py does not know its package")
        elif FOUND_BY_CMAKE[wanted] and FOUND_BY_CMAKE[wanted] not in packages:
            found.append(f"{name}: looks for {wanted}, but {FOUND_BY_CMAKE[wanted]} is not in scripts/packages.txt")
    for name in tree.code():
        for included, _ in tree.includes(name):
            for prefix, package in INCLUDED.items():
                if included.startswith(prefix) and package not in packages:
                    found.append(f"{name}: includes <{included}>, but {package} is not in scripts/packages.txt")
    return found
