// SPDX-License-Identifier: Apache-2.0
// The latency of 8 bytes between two ranks of an MPI program that knows nothing of Sode: run as processes, and as tasks.
//     --trips N   round trips of each of the measured blocks; prints the median of the blocks in nanoseconds, one way
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int const trips = argc > 2 ? std::atoi(argv[2]) : 20000;
    std::array<double, 11> blocks{};
    long word = 0;
    for (double& block : blocks) { // the first warms up
        MPI_Barrier(MPI_COMM_WORLD);
        double const begun = MPI_Wtime();
        for (int t = 0; t < trips; ++t) {
            if (rank == 0) MPI_Send(&word, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&word, 8, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1) MPI_Send(&++word, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD); // what comes back is another word than what went
        }
        block = (MPI_Wtime() - begun) / trips / 2 * 1e9;
    }
    std::sort(blocks.begin() + 1, blocks.end());
    bool const right = rank == 1 || word == static_cast<long>(trips) * static_cast<long>(blocks.size());
    if (rank == 0 && right) std::printf("%.1f\n", blocks[1 + (blocks.size() - 1) / 2]);
    MPI_Finalize();
    return right ? 0 : 1;
}
