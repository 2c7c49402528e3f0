// SPDX-License-Identifier: Apache-2.0
// A job starts another one of the same program; they send each other columns, within either job and between them.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 20000, rounds = 5 };

static int exchange(MPI_Comm among, double const* columns, MPI_Datatype column) {
    int rank, ranks, wrong = 0;
    MPI_Comm_rank(among, &rank);
    MPI_Comm_size(among, &ranks);
    double* dense = calloc((size_t)ranks * rows, sizeof *dense);
    MPI_Allgather(columns, 1, column, dense, rows, MPI_DOUBLE, among);
    for (int i = 0; i < ranks * rows; ++i) wrong += dense[i] != 2 * (i % rows);
    MPI_Sendrecv(columns, 1, column, (rank + 1) % ranks, 3, dense, rows, MPI_DOUBLE, (rank + ranks - 1) % ranks, 3, among,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < rows; ++i) wrong += dense[i] != 2 * i;
    free(dense);
    return wrong;
}

int main(int argc, char** argv) {
    MPI_Comm parent, children, everybody;
    MPI_Datatype column;
    int wrong = 0, all_wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Comm* const other = parent == MPI_COMM_NULL ? &children : &parent;
    MPI_Intercomm_merge(*other, parent != MPI_COMM_NULL, &everybody);
    MPI_Type_vector(rows, 1, 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    double* columns = malloc(2 * rows * sizeof *columns);
    for (int i = 0; i < 2 * rows; ++i) columns[i] = i;
    for (int i = 0; i < rounds; ++i) wrong += exchange(everybody, columns, column) + exchange(MPI_COMM_WORLD, columns, column);
    MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, everybody);
    if (parent == MPI_COMM_NULL) {
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0) printf("wrong: %d\n", all_wrong);
    }
    free(columns);
    MPI_Type_free(&column);
    MPI_Comm_free(&everybody);
    MPI_Comm_disconnect(other);
    MPI_Finalize();
    return wrong != 0;
}
