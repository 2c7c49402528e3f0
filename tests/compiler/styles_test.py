# SPDX-License-Identifier: Apache-2.0
"""Programs as authors of XcalableMP and testers of its compilers write them, each compiled by `sode cc` and run once, on ranks and by a launcher that its
number draws; with TEST_CASES of 2000 or more (./check --full) on all of them. A program says what else it needs: /* FLAGS: ... */ and /* RANKS: 4 8 16 */.

usage: styles_test.py SODE CC CXX FOLDER [-OPTION ...] NAME=COMMAND ...     COMMAND has RANKS where their number belongs; options are the compiler's; a folder in
FOLDER is one program
"""
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

RANKS = [1, 2, 3, 4, 6, 8]


def ways(number, launchers, wanted):
    every = [(ranks, name) for name in launchers for ranks in wanted if name == "sode" or ranks <= 4]
    if int(os.environ.get("TEST_CASES", "0")) >= 2000:
        return every
    random.Random(20261127).shuffle(every)
    return [every[number % len(every)]]


def judge(sode, cc, cxx, options, place, built_in, number, launchers):
    program = pathlib.Path(built_in) / place.stem
    sources = sorted(place.glob("*.c")) if place.is_dir() else [place]
    text = "".join(source.read_text() for source in sources)
    flags = re.search(r"/\* FLAGS: (.*?) \*/", text)
    said_ranks = re.search(r"/\* RANKS: (.*?) \*/", text)
    wanted = [int(word) for word in said_ranks[1].split()] if said_ranks else RANKS
    language = ["c++", f"--with={cxx}", "-std=gnu++17"] if place.suffix == ".cpp" else ["cc", f"--with={cc}"]
    built = subprocess.run([sode, *language, "-O1", "-w", *options, *(flags[1].split() if flags else []), *map(str, sources), "-o", str(program), "-lm"],
                           capture_output=True, text=True, timeout=240, check=False)
    if built.returncode != 0:
        return f"{place.name} is refused:\n{built.stderr}"
    said = ""
    for ranks, name in ways(number, launchers, wanted):
        run = subprocess.run(launchers[name].replace("RANKS", str(ranks)).split() + [str(program)], capture_output=True, text=True, timeout=240, check=False)
        if run.returncode != 0:
            said += f"{place.name}: {ranks} ranks, {name}: status {run.returncode}\n{run.stdout}{run.stderr}"
    return said


def main(sode, cc, cxx, folder, *given):
    options = [item for item in given if item.startswith("-")]
    launchers = dict(item.split("=", 1) for item in given if not item.startswith("-"))
    places = sorted(p for p in pathlib.Path(folder).iterdir() if p.suffix in (".c", ".cpp") or p.is_dir())
    with tempfile.TemporaryDirectory() as built_in, concurrent.futures.ThreadPoolExecutor(2) as workers:
        jobs = [workers.submit(judge, sode, cc, cxx, options, place, built_in, number, launchers) for number, place in enumerate(places)]
        failures = [said for job in jobs if (said := job.result())]
    print("\n".join(failures))
    print(f"{len(places) - len(failures)} of {len(places)} programs are right")
    return 1 if failures or not places else 0


sys.exit(main(*sys.argv[1:]))
