// SPDX-License-Identifier: Apache-2.0
// Long persistent collectives that outlive their communicators: the memory of those that are gone is there for the next ones.
#include <sode/mpi4.h>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    constexpr int bytes = 1 << 20, communicators = 40; // together more than the plans of a machine may hold
    std::vector<char> given(bytes), got(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(size));
    long wrong = 0;
    for (int i = 0; i < communicators; ++i) {
        MPI_Comm c = MPI_COMM_NULL;
        MPI_Request r = MPI_REQUEST_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &c);
        given.assign(given.size(), static_cast<char>(rank + i));
        MPI_Gather_init(given.data(), bytes, MPI_CHAR, got.data(), bytes, MPI_CHAR, 0, c, MPI_INFO_NULL, &r);
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        for (int from = 0; rank == 0 && from < size; ++from)
            wrong += got[static_cast<std::size_t>(from + 1) * bytes - 1] == static_cast<char>(from + i) ? 0 : 1;
        MPI_Comm_free(&c);
        MPI_Request_free(&r);
    }
    if (rank == 0) std::puts(wrong == 0 ? "all right" : "wrong data");
    MPI_Finalize();
    return wrong == 0 ? 0 : 1;
}
