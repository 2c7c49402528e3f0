/* SPDX-License-Identifier: Apache-2.0 */
/* Himeno by hand, for two or more ranks: planes are contiguous, and persistent requests exchange them. Prints as
 * himeno_directives.c. */
#include "himeno.h"
#include <mpi.h>
#include <stdio.h>

enum { ROWS = (MI + NODES - 1) / NODES + 2 };

static float p[ROWS][MJ][MK], wrk[ROWS][MJ][MK], bnd[ROWS][MJ][MK], wk1[ROWS][MJ][MK], a[4][ROWS][MJ][MK], b[3][ROWS][MJ][MK],
    c[3][ROWS][MJ][MK];
static MPI_Request halo[4];
static int from, to; /* local rows 1 ... */

static float jacobi(int first, int last) {
    float gosa = 0, all;
    for (int i = first; i < last; i++)
        for (int j = 1; j < MJ - 1; j++)
            for (int k = 1; k < MK - 1; k++) {
                POINT;
            }
    for (int i = first; i < last; i++)
        for (int j = 1; j < MJ - 1; j++)
            for (int k = 1; k < MK - 1; k++) p[i][j][k] = wk1[i][j][k];
    MPI_Startall(4, halo);
    MPI_Waitall(4, halo, MPI_STATUSES_IGNORE);
    MPI_Allreduce(&gosa, &all, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char** argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int const width = (MI + ranks - 1) / ranks;
    from = rank * width;
    to = from + width < MI ? from + width : MI;
    int const rows = to - from, below = rank > 0 ? rank - 1 : MPI_PROC_NULL, above = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = 1; i <= rows; i++) {
        int const I = from + i - 1;
        for (int j = 0; j < MJ; j++)
            for (int k = 0; k < MK; k++) START(i);
    }
    MPI_Recv_init(p[0], MJ * MK, MPI_FLOAT, below, 0, MPI_COMM_WORLD, &halo[0]);
    MPI_Recv_init(p[rows + 1], MJ * MK, MPI_FLOAT, above, 1, MPI_COMM_WORLD, &halo[1]);
    MPI_Send_init(p[1], MJ * MK, MPI_FLOAT, below, 1, MPI_COMM_WORLD, &halo[2]);
    MPI_Send_init(p[rows], MJ * MK, MPI_FLOAT, above, 0, MPI_COMM_WORLD, &halo[3]);
    MPI_Startall(4, halo);
    MPI_Waitall(4, halo, MPI_STATUSES_IGNORE);
    int const first = rank == 0 ? 2 : 1, last = rank == ranks - 1 ? rows : rows + 1;
    double best = 1e30;
    float gosa = 0;
    for (int m = 0; m < 40; m++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double const begin = MPI_Wtime();
        for (int n = 0; n < 3; n++) gosa = jacobi(first, last);
        double const took = (MPI_Wtime() - begin) / 3;
        best = took < best ? took : best;
    }
    if (rank == 0) printf("%.4f %.6g\n", best * 1e3, gosa);
    MPI_Finalize();
    return 0;
}
