// SPDX-License-Identifier: Apache-2.0
// A program of its own, not GoogleTest: each rank checks, the job fails if one of them found a mistake.
#include <sode/mpi.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

int failures = 0;

void expect(bool holds, char const* what, int rank) {
    if (holds) return;
    ++failures;
    fmt::print(stderr, "rank {}: {} does not hold\n", rank, what);
}

template <class F> bool refuses(F f) {
    try {
        f();
    } catch (sode::error const& e) {
        return e.kind() == sode::error_kind::usage;
    }
    return false;
}

void joins(MPI_Comm communicator) {
    sode::mpi_bootstrap boot{communicator};
    int rank = -1, size = -1;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
    expect(boot.rank() == rank && boot.size() == size, "rank and size are the communicator's", rank);
    expect(boot.machines() == std::vector<int>(static_cast<std::size_t>(size), 0), "all ranks are on one machine", rank);

    struct identity {
        std::int64_t rank, square;
    };
    identity const mine{rank, rank * rank};
    std::vector<identity> all(static_cast<std::size_t>(size));
    boot.allgather(&mine, sizeof mine, all.data());
    for (int r = 0; r < size; ++r) {
        auto const& x = all[static_cast<std::size_t>(r)];
        expect(x.rank == r && x.square == r * r, "allgather is ordered by rank", rank);
    }
    auto const me = static_cast<std::uint64_t>(rank), n = static_cast<std::uint64_t>(size);
    std::uint64_t maxima[] = {me, ~me}, sums[] = {1, ~std::uint64_t{0}};
    boot.combine(maxima, sums);
    expect(maxima[0] == n - 1 && maxima[1] == ~std::uint64_t{0}, "the greatest of all", rank);
    expect(sums[0] == n && sums[1] == std::uint64_t{0} - n, "the sum of all", rank);
    boot.combine({}, {});
    boot.barrier();
    // A message of the program with any tag must not meet those of Sode.
    int const next = (rank + 1) % size, previous = (rank + size - 1) % size;
    int got = -1;
    MPI_Request pending = MPI_REQUEST_NULL;
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &pending);
    boot.barrier();
    MPI_Send(&rank, 1, MPI_INT, next, 5, communicator);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    expect(got == previous, "the program's messages are its own", rank);
}

} // namespace

int main(int argc, char** argv) {
    expect(refuses([] { sode::mpi_bootstrap{MPI_COMM_WORLD}; }), "before MPI_Init it is refused", 0);
    MPI_Init(&argc, &argv);
    int rank = 0, size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    expect(refuses([] { sode::mpi_bootstrap{MPI_COMM_NULL}; }), "MPI_COMM_NULL is refused", rank);
    joins(MPI_COMM_WORLD);

    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    joins(part);
    if (size > 1) {
        MPI_Comm between = MPI_COMM_NULL;
        int const last_even = (size - 1) / 2 * 2, last_odd = size / 2 * 2 - 1;
        MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank % 2 == 0 ? last_odd : last_even, 0, &between);
        expect(refuses([&] { sode::mpi_bootstrap{between}; }), "an intercommunicator is refused", rank);
        MPI_Comm_free(&between);
    }
    MPI_Comm_free(&part);

    auto* const outliving = new sode::mpi_bootstrap{MPI_COMM_WORLD};
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    delete outliving;
    expect(refuses([] { sode::mpi_bootstrap{MPI_COMM_WORLD}; }), "after MPI_Finalize it is refused", rank);
    return all + failures == 0 ? 0 : 1;
}
