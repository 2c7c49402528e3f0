/* SPDX-License-Identifier: Apache-2.0 */
/* A program of MPI, which an MPI compiler compiles without `sode cc`. */
#include <mpi.h>
#include <xmp.h>

double sum_to(int n);

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    xmp_init(MPI_COMM_WORLD);
    int const wrong = sum_to(10) != 45 || sum_to(20) != 190;
    xmp_finalize();
    MPI_Finalize();
    return wrong;
}
