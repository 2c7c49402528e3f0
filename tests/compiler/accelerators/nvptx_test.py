# SPDX-License-Identifier: Apache-2.0
"""Programs become code for nvptx, kernels that pack halos among it; run without a GPU they are right on the host.
nvptx_test.py SODE GCC PROGRAM ..."""
import pathlib
import subprocess
import sys
import tempfile


def main(sode, gcc, *programs):
    lines = subprocess.run([gcc, "-v"], capture_output=True, text=True, check=True).stderr.splitlines()
    targets = [line for line in lines if line.startswith("OFFLOAD_TARGET_NAMES")]
    at = subprocess.run([gcc, "-print-file-name=accel/nvptx-none/mkoffload"], capture_output=True, text=True, check=True).stdout.strip()
    if not any("nvptx" in line for line in targets) or not pathlib.Path(at).exists():
        print("skipped: gcc has no compiler for nvptx (Debian: apt install gcc-12-offload-nvptx)")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            binary = pathlib.Path(folder) / "program"
            built = subprocess.run([sode, "cc", "-acc", f"--with={gcc}", "-O1", program, "-o", str(binary), "-lm"], capture_output=True, text=True)
            code = binary.read_bytes() if binary.exists() else b""
            ran = built.returncode == 0 and subprocess.run([sode, "run", "-n", "2", "--", str(binary)], timeout=60).returncode == 0
            wanted = [b".target sm_", b"sode_acc_pack_8", b"sode_acc_unpack_8", b"jacobi$_omp_fn" if "himeno" in program else b"main$_omp_fn"]
            missing = [w.decode() for w in wanted if w not in code]
            if not ran or missing:
                print(f"{program}: missing {missing}\n{built.stderr}")
                failed += 1
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
