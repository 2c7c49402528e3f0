#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""readme_commands.py README.md: prints a shell script of the commands that README.md gives for the first look, the first program and the
ways to start programs, as they stand there. What README says in words is done between them: the user's own folder, the program, the file
for CMake, the MPI that is installed before Sode is built again."""
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
ways, = blocks(section("Ways to use it"), "sh")
start = [line for line in ways.splitlines() if line.startswith("sode run") and "--mpi" not in line]
with_mpi = [line for line in ways.splitlines() if line not in start]
assert len(start) == 2 and len(with_mpi) == 3, "the commands of \"Ways to use it\" are others: see below what is done with them"
demo = "\n".join(line for line in demo.splitlines() if not line.startswith("./check"))  # that is what runs this

# `set -e` does not see that `a && b` has failed: so each line is followed by a look at its status.
checked = lambda block: "".join(line + "\nwent_well\n" for line in block.splitlines())
print(f"""set -euo pipefail
went_well() {{ local status=$?; ((status == 0)) || {{ echo "failed: the command above ended with $status" >&2; exit 1; }}; }}
# Of the test, not of README: it is root, and there may be fewer processors than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
warm() {{ [[ "$("$@" 2>&1)" == *"of 1000 points are warm"* ]] || {{ echo "failed: $*" >&2; exit 1; }}; echo "ok: $*"; }}
{checked(demo)}
[[ -s laplace.png ]] || {{ echo "failed: no picture" >&2; exit 1; }}
{checked(run)}
{checked(install)}
mkdir -p $HOME/own && cd $HOME/own
cat > program.cpp << 'END'
{program}END
cat > CMakeLists.txt << 'END'
{cmake}END
{checked(build)}
warm build/program
warm sode run -n 2 build/program
{checked(pkg_config)}
warm ./program
{chr(10).join("warm " + line for line in start)}
echo "README without an MPI: every command works, $SECONDS s"
apt-get install -qy --no-install-recommends openmpi-bin libopenmpi-dev > /tmp/apt.log 2>&1
cd -
{checked(install)}
cd $HOME/own
warm mpirun -n 2 ./program
cat > ring.c << 'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {{
    int rank, ranks, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, &token, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &token, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("of %d ranks: sum %d\\n", ranks, token);
    MPI_Finalize();
}}
END
mpicc -O2 ring.c -o program
ring() {{ local said; said=$("$@" 2>&1) && [[ "$said" =~ of\ (4\ ranks:\ sum\ 6|2\ ranks:\ sum\ 1) ]] || {{ echo "failed: $*: $said" >&2; exit 1; }}; echo "ok: $*"; }}
{chr(10).join("ring " + line for line in with_mpi)}
echo "README: every command works, $SECONDS s"
""")
