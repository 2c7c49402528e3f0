# SPDX-License-Identifier: Apache-2.0
"""The steps of docs/directives-tutorial.md: tutorial_test.py SODE COMPILER INCLUDE ROOT. Each program prints what the page says, on several numbers of nodes, when
it is checked, and as a serial program; the page shows lines that are in the programs; the step without its reflect is found wrong."""
import pathlib
import re
import subprocess
import sys
import tempfile


def run(*command, cwd=None):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=cwd)


def main(sode, compiler, include, root):
    root = pathlib.Path(root)
    page = (root / "docs/directives-tutorial.md").read_text()
    printed = re.search(r"```text\n(.*\n)```", page)[1]
    steps = sorted((root / "examples/directives/steps").glob("laplace_*.c"))
    complaints = [] if len(steps) >= 4 else ["steps are missing"]
    with tempfile.TemporaryDirectory() as folder:

        def want(what, *command):
            ran = run(*command)
            if ran.returncode != 0 or ran.stdout != printed:
                complaints.append(f"{what}: exit status {ran.returncode}\n{ran.stdout}{ran.stderr}")

        for source in steps:
            text, program = source.read_text(), f"{folder}/{source.stem}"
            if source.name not in page:
                complaints.append(f"the page does not name {source.name}")
            if "gpu" in source.stem:
                continue  # is tested where there is a device
            for name, options in ((program, []), (program + "_checked", ["-fsode-check"])):
                built = run(sode, "cc", f"--with={compiler}", "-O1", "-Wall", "-Wextra", "-Werror", *options, str(source), "-o", name, "-lm")
                if built.returncode != 0:
                    complaints.append(f"{source.name}: {built.stderr}")
            built = run(compiler, "-Wno-unknown-pragmas", f"-I{include}", str(source), "-o", program + "_serial", "-lm")
            want(f"{source.name} by cc {built.stderr}", program + "_serial")
            for nodes in ("1", "2", "3", "6") if "xmp" in text else ("1",):
                want(f"{source.name} on {nodes} nodes", sode, "run", "-n", nodes, "--timeout", "30", "--", program)
            want(f"{source.name} checked", sode, "run", "-n", "4" if "xmp" in text else "1", "--timeout", "30", "--", program + "_checked")
        for block in re.findall(r"```c\n(.*?)```", page, re.DOTALL):
            for line in block.splitlines():
                if line.strip() and not any(line.strip() in source.read_text() for source in steps):
                    complaints.append(f"the page shows what no program has: {line}")
        wrong = pathlib.Path(folder) / "laplace_2_distributed.c"
        wrong.write_text(re.sub(r"(?m)^#pragma xmp reflect .*\n", "", (root / "examples/directives/steps" / wrong.name).read_text()))
        run(sode, "cc", f"--with={compiler}", "-fsode-check", wrong.name, "-o", "wrong", "-lm", cwd=folder)
        said = run(sode, "run", "-n", "4", "--timeout", "30", "--", "./wrong", cwd=folder).stderr.replace(f"{wrong.resolve().parent}/", "")
        for line in re.search(r"```text\n(laplace_2.*?)```", page, re.DOTALL)[1].splitlines():
            if line not in said:
                complaints.append(f"is not said: {line}\n{said}")
    print("\n".join(complaints) if complaints else f"{len(steps)} steps do what the page says")
    return 1 if complaints else 0


sys.exit(main(*sys.argv[1:]))
