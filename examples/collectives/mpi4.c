/* SPDX-License-Identifier: Apache-2.0 */
/* A program for MPI-4, on any MPI:     sode mpicc mpi4.c -o mpi4 && mpirun -n 4 ./mpi4 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0, mine = 0, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Request request;
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int step = 0; step < 10; ++step) {
        mine = rank + step;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    if (rank == 0) printf("%d\n", sum);
    MPI_Finalize();
    return sum == ranks * (ranks - 1) / 2 + 9 * ranks ? 0 : 1;
}
