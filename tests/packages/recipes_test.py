#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The recipes for Spack and EasyBuild, read without either tool: they parse, every option that they set exists in the CMake files, the
version is the project's, and every library that the build looks for is a dependency of both.   recipes_test.py SOURCE"""
import ast
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
packaging = source / "packaging"
cmake = "\n".join(f.read_text() for f in [source / "CMakeLists.txt", *source.glob("cmake/*.cmake"), *source.glob("src/CMakeLists.txt"),
                                         *source.glob("compiler/CMakeLists.txt")])
version = re.search(r"project\(sode VERSION ([0-9.]+)", (source / "CMakeLists.txt").read_text()).group(1)
wrong = []


def strings(node):
    return [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def known(option):
    """Options of the project, of CMake, and results of find_program that carry an MPI's name."""
    stem = re.sub(r"_(openmpi|mpich|)$", "", option)
    return re.search(rf"\b{re.escape(option)}\b", cmake) or f"{stem}_${{mpi}}" in cmake


spack = packaging / "spack/packages/sode/package.py"
tree = ast.parse(spack.read_text(), spack.name)
options = {s for s in strings(tree) if re.fullmatch(r"(SODE|BUILD)_\w+", s)}
needs = {s.split("@")[0].split(" ")[0] for call in ast.walk(tree)
         if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "depends_on" for s in strings(call)[:1]}
wanted = {"fmt", "hwloc", "cli11", "nlohmann-json", "hdf5", "llvm", "mpi", "cmake"}
wrong += [f"{spack.name}: no dependency on {w}" for w in sorted(wanted - needs)]

for easy in packaging.glob("easybuild/*.eb"):
    tree = ast.parse(easy.read_text(), easy.name)
    values = {t.id: ast.literal_eval(n.value) for n in tree.body if isinstance(n, ast.Assign) and isinstance(n.value, (ast.Constant, ast.List, ast.Dict))
              for t in n.targets if not any(isinstance(x, ast.Name) for x in ast.walk(n.value))}
    options |= set(re.findall(r"-D(\w+)=", easy.read_text()))
    needs = {d[0].lower() for d in values["dependencies"] + values["builddependencies"]}
    wrong += [f"{easy.name}: no dependency on {w}" for w in sorted({"fmt", "hwloc", "cli11", "nlohmann_json", "hdf5", "cmake"} - needs)]
    if values["version"] != version or easy.name != f"sode-{version}-{values['toolchain']['name']}-{values['toolchain']['version']}.eb":
        wrong.append(f"{easy.name}: the project is of version {version}")

wrong += [f"no CMake file knows the option {o}" for o in sorted(options) if not known(o)]
print("\n".join(wrong) or f"{len(options)} options, version {version}")
sys.exit(bool(wrong))
