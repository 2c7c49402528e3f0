/* SPDX-License-Identifier: Apache-2.0 */
/* Linked with an MPI; initialises it if it is told to, and says of how many ranks it is one, or crashes. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    int threads = 0, size = 0;
    if (argc < 2) {
        printf("not initialised\n");
        return 0;
    }
    if (strcmp(argv[1], "threads") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(argv[1], "crash") == 0) raise(SIGSEGV);
    printf("one of %d\n", size);
    MPI_Finalize();
    return 0;
}
