# SPDX-License-Identifier: Apache-2.0
"""python3 same_text.py INCLUDE CXX [NVCC]: what kernels run is, after the preprocessor, word for word what the tests run on a host.

Compares the protocol's headers as the C++ compiler reads them with what a compiler of kernels reads: nvcc if there is one, and the C++
compiler with nvcc's macros."""
import pathlib
import re
import subprocess
import sys
import tempfile

PLATFORMS = {"threads_platform.hpp", "emulated.hpp", "native.hpp", "native_launch.hpp", "memory.hpp", "kernel_run.hpp"}  # what differs on purpose
LINE = re.compile(r'^#(?:line)? ?\d+ "([^"]*)"')
KERNEL_WORDS = re.compile(r"__attribute__\s*\(\((?:host|device|__host__|__device__)\)\)|__host__|__device__|__declspec\(__(?:host|device)__\)")
LEAST_WORDS = 3000


def words(command, source, include, headers):
    done = subprocess.run([*command, "-E", f"-I{include}", str(source)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"same_text: {' '.join(command)} fails:\n{done.stderr}")
    ours, found = False, []
    for line in done.stdout.splitlines():
        if mark := LINE.match(line):
            ours = pathlib.Path(mark.group(1)).name in headers and "gmpi" in mark.group(1)
        elif ours and not line.startswith("#"):
            found += re.findall(r"\w+|[^\w\s]", KERNEL_WORDS.sub("", line))
    if len(found) < LEAST_WORDS:
        sys.exit(f"same_text: {' '.join(command)}: only {len(found)} words of the protocol were found")
    return found


def main(include, cxx, nvcc=None):
    folder = pathlib.Path(include, "sode/detail/gmpi")
    headers = {path.name for path in folder.glob("*.hpp") if not path.name.startswith("cuda_")} - PLATFORMS
    # First what each platform includes by itself, as their own includes are left out.
    text = "".join(f"#include <sode/detail/gmpi/{name}>\n" for name in sorted(headers, key=lambda name: (name != "ordering.hpp", name)))
    with tempfile.TemporaryDirectory() as where:
        plain, kernels, device = (pathlib.Path(where, name) for name in ("plain.cpp", "kernels.cpp", "device.cu"))
        plain.write_text(text, encoding="utf-8")
        kernels.write_text("#include <cstdint>\n#define __CUDACC__\n#define __host__\n#define __device__\n" + text, encoding="utf-8")
        device.write_text(text, encoding="utf-8")
        stubs = pathlib.Path(where, "sode/detail/gmpi")  # CUDA's own headers need not be here
        stubs.mkdir(parents=True)
        for name in ("cuda_platform.hpp", "cuda_launch.hpp"):
            (stubs / name).write_text("", encoding="utf-8")
        on_host = words([cxx, "-std=c++20"], plain, include, headers)
        others = {"the macros of nvcc": words([cxx, "-std=c++20", f"-I{where}"], kernels, include, headers)}
        if nvcc:
            others["nvcc"] = words([nvcc, "-std=c++20", "-arch=sm_90"], device, include, headers)
    for name, read in others.items():
        for at, (mine, theirs) in enumerate(zip(on_host, read)):
            if mine != theirs:
                sys.exit(f"same_text: {name} read {' '.join(read[at - 8:at + 8])}\nthe host reads {' '.join(on_host[at - 8:at + 8])}")
        if len(on_host) != len(read):
            sys.exit(f"same_text: {name}: {len(read)} words, and {len(on_host)} on the host")
    print(f"{len(headers)} headers, {len(on_host)} words, the same for {' and '.join(others)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
