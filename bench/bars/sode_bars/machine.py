# SPDX-License-Identifier: Apache-2.0
"""What is here to measure with, and how its programs are started."""
import os
import subprocess
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Setup:
    """An MPI and the settings that it runs with."""
    name: str
    mpi: str
    arguments: tuple = ()
    environment: dict = field(default_factory=dict)
    programs: tuple = ()  # that it is for; none: all
    asked: bool = False  # only for who names it


_VADER = ("--mca", "pml", "ob1", "--mca", "btl", "self,vader")
_COLLECTIVES = ("bench_collectives",)
_LINEAR = tuple(word for operation in ("allreduce", "bcast", "reduce", "barrier", "allgather", "alltoall", "gather", "scatter")
                for word in ("--mca", f"coll_tuned_{operation}_algorithm", "1"))
_EAGER = tuple(word for name, value in (("eager_limit", 5 << 20), ("rndv_eager_limit", 5 << 20), ("max_send_size", 5 << 20),
                                        ("segment_size", 1 << 30), ("free_list_num", 4), ("free_list_inc", 4), ("free_list_max", 24))
               for word in ("--mca", f"btl_vader_{name}", str(value)))

SETUPS = (
    Setup("vader", "openmpi", ("--mca", "pml", "ob1", "--mca", "btl", "self,vader",
                               "--mca", "btl_vader_single_copy_mechanism", "none")),
    Setup("vader-cma", "openmpi", ("--mca", "pml", "ob1", "--mca", "btl", "self,vader",
                                   "--mca", "btl_vader_single_copy_mechanism", "cma")),
    Setup("ucx", "openmpi", ("--mca", "pml", "ucx", "--mca", "opal_common_ucx_tls", "any",
                             "--mca", "opal_common_ucx_devices", "any")),
    Setup("mpich", "mpich", (), {"UCX_TLS": "posix,self"}),
    Setup("mpich-cma", "mpich"),
    # Collectives in other components than those that MPI chooses by itself.
    Setup("coll-sm", "openmpi", (*_VADER, "--mca", "coll_sm_priority", "90"), programs=_COLLECTIVES),
    Setup("coll-adapt", "openmpi", (*_VADER, "--mca", "coll_adapt_priority", "90"), programs=_COLLECTIVES),
    Setup("coll-linear", "openmpi", (*_VADER, "--mca", "coll_tuned_use_dynamic_rules", "1", *_LINEAR), programs=_COLLECTIVES),
    # Graphs of messages, whose persistent forms are right where those of schedules are not.
    Setup("mpich-graphs", "mpich", (), {f"MPIR_CVAR_I{operation}_INTRA_ALGORITHM": f"tsp_{way}" for operation, way in (
        ("BCAST", "tree"), ("GATHER", "tree"), ("SCATTER", "tree"), ("ALLGATHER", "ring"))}, programs=_COLLECTIVES),
    # Paper P1's rivals: everything eager (as far as segments of shared memory have room), and rendezvous by fragments.
    Setup("vader-eager", "openmpi", (*_VADER, "--mca", "btl_vader_single_copy_mechanism", "none", *_EAGER), programs=("bench_datatypes",),
          asked=True),
    *(Setup(f"vader-frag-{size}", "openmpi",
            (*_VADER, "--mca", "btl_vader_single_copy_mechanism", "none", "--mca", "btl_vader_eager_limit", "2048",
             "--mca", "btl_vader_max_send_size", str(size << 10)), programs=("bench_datatypes",), asked=True) for size in (4, 16, 32, 64)),
)
TWO_SIDED = tuple(s.name for s in SETUPS if not s.programs)


def setups_of(program):
    """Those that a benchmark program is raced in, if nobody names others."""
    return tuple(s for s in SETUPS if not s.asked and (not s.programs or program in s.programs))


def processor(path="/proc/cpuinfo"):
    """The processor's name, with what tells it from others of that name: a virtual machine often hides the model."""
    known = {}
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                key, colon, value = line.partition(":")
                if colon:
                    known.setdefault(key.strip(), value.strip())
    except OSError:
        pass
    name = known.get("model name", "an unknown processor")
    numbers = [f"{word} {known[key]}" for word, key in (("family", "cpu family"), ("model", "model"), ("stepping", "stepping")) if key in known]
    return f"{name} ({', '.join(numbers)})" if numbers else name


def usable_cores(processors=None, siblings="/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"):
    """Cores that this process may use; hardware threads of one core count once."""
    cores = set()
    for processor in os.sched_getaffinity(0) if processors is None else processors:
        try:
            with open(siblings.format(processor), encoding="ascii") as file:
                cores.add(file.read().strip())
        except OSError:
            cores.add(processor)
    return len(cores)


@dataclass(frozen=True)
class Machine:
    bin: str
    build: str
    ctest: str
    mpirun: dict
    layers: str = ""  # the folder of libsode-interpose-*.so

    def program(self, name):
        """The path of a built program, or None."""
        path = os.path.join(self.bin, name)
        return path if os.access(path, os.X_OK) else None

    def mpi_command(self, setup, ranks, program, *arguments, before=()):
        """argv of `program` built for the set-up's MPI (NAME_openmpi), or None if that MPI or the program is not here. `before`: words
        between the launcher's and the program."""
        launcher = self.mpirun.get(setup.mpi, "")
        path = self.program(f"{program}_{setup.mpi}")
        if not path or not os.access(launcher, os.X_OK):
            return None
        # Neighbours in rank are neighbours in the machine; hardware threads of one core would share it.
        oversubscribed = ranks > usable_cores()
        if setup.mpi == "openmpi":
            words = [launcher, "-n", str(ranks)]
            words += ["--oversubscribe", "--bind-to", "none"] if oversubscribed else ["--map-by", "core", "--bind-to", "core"]
            if os.geteuid() == 0:
                words.append("--allow-run-as-root")
            if oversubscribed:
                words += ["--mca", "mpi_yield_when_idle", "1"]
        else:
            words = [launcher, "-n", str(ranks)] + ([] if oversubscribed else ["-bind-to", "core"])
        return [*words, *setup.arguments, *before, path, "--setup", setup.name, *arguments]

    def run_tests(self, pattern, settings):
        """(output, exit status) of the tests of the build whose names match; status 0 and no output if there are none."""
        if not os.path.exists(os.path.join(self.build, "CTestTestfile.cmake")):
            return "", 0
        command = [self.ctest, "--test-dir", self.build, "-R", pattern, "-V", "--timeout", "300"]
        try:
            done = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True, check=False)
        except OSError:
            return "", 0
        if "No tests were found" in done.stdout + done.stderr:
            return "", 0
        if "***Not Run" in done.stdout:  # not built
            return "", 0
        return done.stdout, done.returncode
