// SPDX-License-Identifier: Apache-2.0
// Long collectives of more kinds than there is memory for plans: plans come and go, blocking and nonblocking ones, and what they
// hold stays within bounds.
#include "resident.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr std::size_t longest = 8U << 20;
constexpr int kinds = 10, rounds = 5;

struct buffers {
    int rank = 0, size = 1;
    std::vector<unsigned char> given = std::vector<unsigned char>(longest), got;
};

unsigned char mark(int rank, int kind, int round) {
    return static_cast<unsigned char>(17 * rank + 5 * kind + round + 1);
}

void check(buffers const& b, std::size_t count, int kind, int round) {
    if (b.rank != 0) return;
    for (int r = 0; r < b.size; ++r)
        for (std::size_t const at : {std::size_t{0}, count / 2, count - 1})
            if (b.got[static_cast<std::size_t>(r) * count + at] != mark(r, kind, round)) {
                std::fprintf(stderr, "wrong: kind %d, round %d, byte %zu of rank %d\n", kind, round, at, r);
                std::abort();
            }
}

void gather(buffers& b, int kind, bool nonblocking) {
    auto const count = (longest - 4096U * static_cast<std::size_t>(kind)) * 2 / static_cast<std::size_t>(b.size);
    int const n = static_cast<int>(count);
    for (int round = 0; round < rounds; ++round) {
        std::memset(b.given.data(), mark(b.rank, kind, round), count);
        if (nonblocking) {
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Igather(b.given.data(), n, MPI_BYTE, b.got.data(), n, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Barrier(MPI_COMM_WORLD);
        } else {
            MPI_Gather(b.given.data(), n, MPI_BYTE, b.got.data(), n, MPI_BYTE, 0, MPI_COMM_WORLD);
        }
        check(b, count, kind, round);
    }
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    buffers b;
    MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &b.size);
    b.got.resize(2 * longest);
    for (int i = 0; i < 20; ++i) MPI_Barrier(MPI_COMM_WORLD);
    auto const before = resident();
    for (int turn = 0; turn < 2; ++turn)
        for (int kind = 0; kind < kinds; ++kind) {
            gather(b, kind, false);
            gather(b, kind, true);
        }
    auto const grown = resident() - before;
    std::size_t const most = (256U + 64U) << 20; // those of others, which are read, count as well
    if (resident() > before && grown > most) {
        std::fprintf(stderr, "rank %d: memory has grown by %zu bytes\n", b.rank, grown);
        std::abort();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (b.rank == 0) std::puts("all right");
    MPI_Finalize();
    return 0;
}
