// SPDX-License-Identifier: Apache-2.0
// MPI beside directives. Nothing here calls MPI: the macros of <xmp.h> do, with the program's own <mpi.h>.
#include "process.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <xmp.h>

namespace sode::xmp {
namespace {

constexpr std::size_t largest_handle = 16; // an int, or a pointer

// The communicator of a set of nodes.
struct communicator {
    int made = 0;
    alignas(std::max_align_t) unsigned char handle[largest_handle] = {};
};

communicator& communicator_of(sode_xmp_set const& set) {
    static auto* const known = new std::map<sode_xmp_set const*, std::unique_ptr<communicator>>; // as long as MPI
    auto& one = (*known)[&set];
    if (!one) one = std::make_unique<communicator>();
    return *one;
}

bool begun_by_the_program = false;

} // namespace
} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

sode_xmp_mpi_set sode_xmp_mpi_executing(int size, int rank, unsigned long bytes) {
    auto& program = process::here();
    auto const& all = program.world();
    char const* const at = "xmp_get_mpi_comm()";
    if (size == 0) fail(at, "MPI is not initialised", "call xmp_init_mpi(&argc, &argv) first");
    if (size != static_cast<int>(all.ranks.size()) || rank != all.mine)
        fail(at,
             "the program has " + std::to_string(all.ranks.size()) + " nodes, and MPI_COMM_WORLD has " + std::to_string(size) +
                 " (MPI was not started with the program)",
             "start the program by `sode run --mpi`, or by this MPI's mpirun");
    if (bytes > largest_handle)
        fail(at,
             "a communicator of this MPI has " + std::to_string(bytes) + " bytes (at most " + std::to_string(largest_handle) +
                 " are supported)",
             "use Open MPI or MPICH");
    auto const& set = program.executing();
    auto& one = communicator_of(set);
    return {static_cast<int>(set.ranks.size()), set.ranks.data(), &one.made, one.handle};
}

void sode_xmp_mpi_began(int by_the_program) {
    begun_by_the_program = begun_by_the_program || by_the_program != 0;
}

int sode_xmp_mpi_is_the_program_s(void) {
    return begun_by_the_program ? 1 : 0;
}

void sode_xmp_mpi_joined(int has_all) {
    if (!has_all)
        fail("xmp_init()", "the communicator does not contain all ranks of MPI_COMM_WORLD in the same order",
             "pass MPI_COMM_WORLD, and use `task` for some of the ranks");
    process::here().begin();
}

void xmp_finalize(void) {
    process::here().finish();
}

} // extern "C"
