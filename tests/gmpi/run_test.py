# SPDX-License-Identifier: Apache-2.0
"""python3 run_test.py RUN STEP: bench/gpu/run keeps to its time, and leaves a page, whatever its programs do.

The archive is a pretended one: programs that measure, hang, crash or print without an end, on a GPU that is not there."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SECTION = """while [ $# -gt 0 ]; do
    case $1 in
    --html) echo "<h2>Section of ${0##*/}</h2><p>first" > "$2"; echo '<tr class=goal><td>goal of '${0##*/}'</tr>' >> "$2" ;;
    --json) echo '{"complete": false}' > "$2" ;;
    esac
    shift
done
"""
PROGRAMS = {
    "checks": "echo it hangs\ntrap '' TERM\nwhile :; do sleep 1; done",
    "measure": SECTION + "sleep 1000 & sleep 1000",
    "faces": SECTION + "kill -SEGV $$",
    "hops": "while :; do echo '<without an end>'; done",
    "himeno": SECTION + "exit 3",
}


def write(path, text):
    path.write_text("#!/bin/sh\nPATH=/usr/bin:/bin\n" + text + "\n", encoding="utf-8")
    path.chmod(0o755)


def main(run, step):
    with tempfile.TemporaryDirectory() as where:
        here, out = pathlib.Path(where, "gmpi"), pathlib.Path(where, "results")
        for folder in (here / "bin", here / "lib", out):
            folder.mkdir(parents=True)
        (here / "run").write_text(pathlib.Path(run).read_text(encoding="utf-8"), encoding="utf-8")
        write(here / "lib/ld-linux-x86-64.so.2", 'shift 2; exec "$@"')
        write(here / "bin/gmpi_step", f'exec {step} "$@"')
        for name in "calls starts nested laplace laplace_halo npb_ep npb_cg npb_mg npb_ft checks measure faces hops himeno".split():
            write(here / f"bin/gmpi_{name}", PROGRAMS.get(name, SECTION + "exit 0"))
        write(here / "bin/bench_stencil", "exit 0")

        def begin(**more):
            began = time.monotonic()
            done = subprocess.run(["/bin/sh", here / "run", out], env={**os.environ, "PATH": "/nonexistent", "SODE_DEVICE": "cuda", "TIMES_FASTER": "50", **more},
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=100)
            steps = {s["name"]: s["ended"] for s in json.loads((out / "run.json").read_text())["steps"]}
            return done, steps, (out / "gmpi.html").read_text(encoding="utf-8"), time.monotonic() - began

        done, steps, page, took = begin()
        assert done.returncode == 1, done
        assert steps["checks"] == "cut off after 1 s" and steps["measure"] == "cut off after 2 s", steps
        assert steps["faces"] == "ended by signal 11" and steps["himeno"] == "failed with status 3", steps
        assert steps["hops"].startswith("cut off") or steps["hops"].startswith("left out"), steps
        for name in ("starts", "nested", "laplace", "ep", "plate_1"):
            assert steps[name] == "ok" or steps[name].startswith("left out"), (name, steps)
        assert steps["calls"] == steps["ft"] == "ok", steps
        for text in ("Section of gmpi_measure", "goal of gmpi_measure", "goal of gmpi_faces", "Section of gmpi_npb_ft", "it hangs", "&lt;without an end>"):
            assert text in page, (text, page)
        assert page.index("goal of gmpi_npb_ft") < page.index("Section of gmpi_calls"), "the goals stand first"
        for name in ("checks", "measure", "faces", "himeno"):
            assert f" {name}" in done.stderr.split("failed:")[1], done.stderr
        assert took < 60, took

        # When all time is over, what follows is left out and named, and nothing of it is said to have failed.
        done, steps, page, took = begin(SECONDS_IN_ALL="3")
        assert steps["checks"] == "cut off after 1 s" and steps["ft"] == "left out: no time was left", steps
        assert "left out, as the time was over:" in done.stdout and " ft" not in done.stderr, done
        assert "left out: no time was left" in page and took < 30, took
    print("what hangs was ended, what crashed was named, and the page had the rest")


if __name__ == "__main__":
    main(*sys.argv[1:])
