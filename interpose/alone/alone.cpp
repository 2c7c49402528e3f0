// SPDX-License-Identifier: Apache-2.0
// libsode-alone.so: what `sode run` preloads into ranks that are linked with an MPI. An MPI that is initialised there finds itself
// alone, because nobody has told it of the other ranks: the job would be many jobs of one rank, each with the whole problem. It is
// refused then. One library for every MPI: it is compiled with none.
#include "base/job_control.hpp"
#include "base/warn.hpp"

#include <sode/error.hpp>

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

namespace {

template <class F> F* next(char const* name) {
    return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

bool is_set(char const* name) {
    char const* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

// A rank of ours, and nobody that it has started rightly: as a rank of an MPI's launcher, or as the program of one that is in the
// job itself.
bool is_rank() {
    for (auto const* const launched : {"PMIX_RANK", "PMI_RANK", "PMI_FD", "PMI_ID", "OMPI_COMM_WORLD_SIZE"})
        if (is_set(launched)) return false;
    char const* const joined = std::getenv(sode::internal::boot_joined_variable);
    return is_set(sode::internal::boot_size_variable) && (joined == nullptr || joined == std::to_string(::getpid()));
}

// MPI_COMM_WORLD is a number in MPICH and what is made from it, an address in Open MPI.
int ranks_of_world() {
    int ranks = 0;
    if (void* const world = ::dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world")) {
        if (auto* const size = next<int(void*, int*)>("PMPI_Comm_size")) size(world, &ranks);
    } else {
        constexpr int mpich_world = 0x44000000;
        if (auto* const size = next<int(int, int*)>("PMPI_Comm_size")) size(mpich_world, &ranks);
    }
    return ranks;
}

int refuse_if_alone(int result) {
    if (result != 0 || ranks_of_world() != 1) return result;
    std::string const size = std::getenv(sode::internal::boot_size_variable);
    sode::internal::tell(
        sode::error{sode::error_kind::usage, "MPI found only this process in a job of " + size + " ranks",
                    "without --mpi, `sode run` does not start MPI ranks, and each process would be a separate MPI job",
                    "write `sode run --mpi -n " + size + "` and the program, or start it by that MPI's mpirun"});
    if (auto* const finalize = next<int()>("PMPI_Finalize")) finalize(); // or it leaves files behind
    std::_Exit(2);
}

int initialise(char const* name, int* argc, char*** argv) {
    auto* const init = next<int(int*, char***)>(name);
    bool const rank = is_rank(); // before an Open MPI that is alone makes itself its launcher's variables
    int const result = init == nullptr ? 1 : init(argc, argv);
    return rank ? refuse_if_alone(result) : result;
}

int initialise(char const* name, int* argc, char*** argv, int required, int* provided) {
    auto* const init = next<int(int*, char***, int, int*)>(name);
    bool const rank = is_rank();
    int const result = init == nullptr ? 1 : init(argc, argv, required, provided);
    return rank ? refuse_if_alone(result) : result;
}

} // namespace

// Fortran comes by PMPI_Init.
extern "C" {
[[gnu::visibility("default")]] int MPI_Init(int* argc, char*** argv) {
    return initialise("MPI_Init", argc, argv);
}
[[gnu::visibility("default")]] int PMPI_Init(int* argc, char*** argv) {
    return initialise("PMPI_Init", argc, argv);
}
[[gnu::visibility("default")]] int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return initialise("MPI_Init_thread", argc, argv, required, provided);
}
[[gnu::visibility("default")]] int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return initialise("PMPI_Init_thread", argc, argv, required, provided);
}
}
