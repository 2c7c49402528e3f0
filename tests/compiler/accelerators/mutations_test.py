# SPDX-License-Identifier: Apache-2.0
"""Leaves out each data clause, each update and each `acc` of a program, one at a time: on the stand-in device every such program must
fail. mutations_test.py SODE PROGRAM [DEVICES]. What OpenACC itself supplies may be left out: `present`, and `copy` of a compute construct.
With several devices of a rank: leaves out clauses about them, instead of data clauses; such a program may be refused, too."""
import pathlib
import re
import subprocess
import sys
import tempfile

SETS = re.compile(r"\b(on_device|layout|shadow)\s*\(")
DATA = re.compile(r"\b(copy|copyin|copyout|create|delete|use_device|self|host|device)\s*\(")


def clause_end(line, at):
    depth = 0
    for k in range(at, len(line)):
        depth += (line[k] == "(") - (line[k] == ")")
        if depth == 0 and line[k] == ")":
            return k + 1
    raise ValueError(line)


def mutants(lines, several):
    for number, line in enumerate(lines):
        if line.startswith("#pragma acc"):
            compute = re.match(r"#pragma acc (parallel|kernels|serial)", line)
            for found in [] if several else DATA.finditer(line):
                end = clause_end(line, found.end() - 1)
                names = re.split(r",\s*(?![^\[]*\])", line[found.end():end - 1])
                for left_out in names:
                    if compute and found[1] == "copy":
                        continue
                    rest = [name for name in names if name != left_out]
                    clause = f"{found[1]}({', '.join(rest)})" if rest else ""
                    changed = line[:found.start()] + clause + line[end:]
                    if not rest and re.fullmatch(r"#pragma acc (update|enter data|exit data|data|host_data|declare)\s*(if \(.*\))?\s*(async\(\d\))?\s*(wait\(\d\))?\s*(if_present|finalize)?\s*", changed):
                        changed = ""
                    yield number, changed
            if "devices" in line or "wait" in line or "barrier_device" in line:
                continue  # the device runs everything at once
            for found in SETS.finditer(line):
                # `update` and `exit data` find the devices that an array is on; a shadow may be that of the array.
                alone = re.search(r" exit data ", line) or (" update " in line and "(w)" not in line)
                own = found[1] == "shadow" and "shadow([0][1])" not in line
                # With `layout`, a loop finds the devices of its array, and `declare` takes the default ones.
                found_out = found[1] == "on_device" and "layout" in line and (compute or " declare " in line)
                if not alone and not own and not found_out:
                    yield number, line[:found.start()] + line[clause_end(line, found.end() - 1):]
            if line.startswith("#pragma acc reflect"):
                yield number, ""
        elif re.search(r"#pragma xmp .* acc\b", line) and "barrier" not in line and "wait_async" not in line:
            yield number, re.sub(r" acc\b(\(\w+\))?", "", line)


def main(sode, program, devices="1"):
    source = pathlib.Path(program)
    lines = source.read_text().splitlines()
    survivors = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, changed in mutants(lines, devices != "1"):
            count += 1
            path = pathlib.Path(folder) / "program.c"
            path.write_text("\n".join(lines[:number] + [changed] + lines[number + 1:]) + "\n")
            binary = pathlib.Path(folder) / "program"
            built = subprocess.run([sode, "cc", "-acc", f"--device=stand-in:{devices}", "-O0", str(path), "-o", str(binary), "-lm"],
                                   capture_output=True, text=True, timeout=120)
            if built.returncode != 0 and devices != "1" and re.search(r"error: .*(devices|needs|blocks)", built.stderr):
                continue
            if built.returncode != 0:
                print(f"{number + 1}: {lines[number]} -> {changed}: is no program\n{built.stderr}")
                survivors += 1
                continue
            ran = subprocess.run([sode, "run", "-n", "2", "--timeout", "30", "--", str(binary)], capture_output=True, timeout=60)
            if ran.returncode == 0:
                print(f"{number + 1}: {lines[number]} -> {changed}: nobody notices")
                survivors += 1
    print(f"{count - survivors} of {count} changed programs fail")
    return 1 if survivors or count < 10 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
