/* SPDX-License-Identifier: Apache-2.0 */
/* Columns go to the next rank, where they become rows; in both orders of send and receive that MPI's eager messages allow. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { side = 200, few = 20 };

static int exchange(int width, int rank, int size) {
    int const right = (rank + 1) % size, left = (rank + size - 1) % size;
    double* a = malloc(sizeof(double) * side * side);
    double* b = malloc(sizeof(double) * side * side);
    MPI_Datatype column, columns;
    MPI_Status status;
    int i, j, wrong = 0, count = 0;
    for (i = 0; i < side * side; ++i) a[i] = rank * 1e6 + i;
    MPI_Type_vector(side, 1, side, MPI_DOUBLE, &column);
    MPI_Type_create_hvector(width, 1, sizeof(double), column, &columns);
    MPI_Type_commit(&columns);
    if (width == few / 20) { /* short enough for MPI to buffer: everybody sends first */
        MPI_Send(a, 1, columns, right, 1, MPI_COMM_WORLD);
        MPI_Recv(b, side * width, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &status);
    } else if (rank % 2 == 0) {
        MPI_Send(a, 1, columns, right, 1, MPI_COMM_WORLD);
        MPI_Recv(b, side * width, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &status);
    } else {
        MPI_Recv(b, side * width, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &status);
        MPI_Send(a, 1, columns, right, 1, MPI_COMM_WORLD);
    }
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    if (count != side * width) ++wrong;
    for (j = 0; j < width; ++j)
        for (i = 0; i < side; ++i)
            if (b[j * side + i] != left * 1e6 + i * side + j) ++wrong;
    MPI_Type_free(&columns);
    MPI_Type_free(&column);
    free(a);
    free(b);
    return wrong;
}

int main(int argc, char** argv) {
    int rank, size, wrong;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    wrong = exchange(few / 20, rank, size) + exchange(few, rank, size) + exchange(side, rank, size);
    if (wrong != 0) fprintf(stderr, "rank %d: %d wrong\n", rank, wrong);
    MPI_Finalize();
    if (wrong == 0 && rank == 0) printf("all columns became rows\n");
    return wrong != 0;
}
