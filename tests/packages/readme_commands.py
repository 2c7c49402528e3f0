#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""readme_commands.py README.md: prints a shell script of the commands that README.md gives for the first look and the first program, as
they stand there. What README says in words is done between them: the user's own folder, the program, the file for CMake."""
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
section = lambda title: re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## )", text, re.DOTALL | re.MULTILINE).group(1)
blocks = lambda part, kind: re.findall(rf"^```{kind}\n(.*?)^```", part, re.DOTALL | re.MULTILINE)

first = section("Your first program")
program, = blocks(first, "cpp")
cmake, = blocks(first, "cmake")
run, install, build, pkg_config = blocks(first, "sh")
demo, = blocks(section("Two commands"), "sh")
demo = "\n".join(line for line in demo.splitlines() if not line.startswith("./check"))  # that is what runs this

print(f"""set -euo pipefail
warm() {{ [[ "$("$@" 2>&1)" == *"of 1000 points are warm"* ]] || {{ echo "failed: $*" >&2; exit 1; }}; echo "ok: $*"; }}
{demo}
[[ -s laplace.png ]] || {{ echo "failed: no picture" >&2; exit 1; }}
{run}
{install}
mkdir -p $HOME/own && cd $HOME/own
cat > program.cpp << 'END'
{program}END
cat > CMakeLists.txt << 'END'
{cmake}END
{build}
warm build/program
warm $HOME/sode/bin/sode run -n 2 build/program
{pkg_config}
warm ./program
warm $HOME/sode/bin/sode run -n 2 ./program
echo "README: every command works"
""")
