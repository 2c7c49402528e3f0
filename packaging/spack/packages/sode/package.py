# SPDX-License-Identifier: Apache-2.0
from spack.package import *


class Sode(CMakePackage):
    """Communication for array codes: halo exchanges, copies and collectives of distributed arrays, planned once and run many times."""

    # Where the sources are: a checkout (spack develop sode@main), or an archive of a release.
    homepage = "https://localhost/sode"
    git = "file://" + join_path(package_dir, "..", "..", "..", "..")

    license("Apache-2.0")

    version("main", branch="main")

    variant("shared", default=True, description="A shared library")
    variant("hdf5", default=True, description="Files of arrays")
    variant("directives", default=True, description="sode cc, the compiler of XcalableMP directives")
    variant("mpi", default=True, description="Ranks on many machines, and the layer for MPI programs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("fmt@9:")
    depends_on("hwloc@2:")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("hdf5", when="+hdf5")
    depends_on("llvm@14 +clang", when="+directives")
    depends_on("mpi", when="+mpi")

    generator("ninja")
    conflicts("%gcc@:11", msg="Sode is written in C++20 and needs g++ 12")

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("SODE_BUILD_TESTS", False),
            self.define("SODE_BUILD_BENCH", False),
            self.define("SODE_BUILD_EXAMPLES", False),
            self.define("SODE_WERROR", False),
        ]
        # The project looks for the wrapper of each MPI under the name that Debian gives it.
        if self.spec.satisfies("+mpi"):
            name = "openmpi" if "openmpi" in self.spec else "mpich"
            args.append(self.define("SODE_MPICC_" + name, self.spec["mpi"].mpicc))
            args.append(self.define("SODE_MPIRUN_" + name, join_path(self.spec["mpi"].prefix.bin, "mpirun")))
        if self.spec.satisfies("+directives"):
            args.append(self.define("SODE_LLVM_CONFIG", join_path(self.spec["llvm"].prefix.bin, "llvm-config")))
        return args
