/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that call collectives which plans carry, until the last one dies in the middle of one: the others get an error, and say so.
       collective_death persistent | reads | blocking | nonblocking
   Prints "told after N ms" on each survivor: since its last call that was right. */
#include <sode/mpi4.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS_BEFORE = 300, WORDS = 300 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
    int rank, size, mine[WORDS], sums[WORDS], all[8 * WORDS], round;
    char const* const kind = argc > 1 ? argv[1] : "persistent";
    int const reads = strcmp(kind, "reads") == 0; /* what is gathered is read by the kernel, if a stage is dear */
    int const persistent = reads || strcmp(kind, "persistent") == 0;
    MPI_Request request = MPI_REQUEST_NULL, other = MPI_REQUEST_NULL;
    double last = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    alarm(60);
    if (persistent) {
        MPI_Allreduce_init(mine, sums, WORDS, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        if (reads)
            MPI_Allgather_init(mine, WORDS, MPI_INT, all, WORDS, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &other);
        else
            MPI_Bcast_init(all, WORDS, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &other);
    }
    for (round = 0;; ++round) {
        int code = MPI_SUCCESS;
        for (int i = 0; i < WORDS; ++i) mine[i] = round + rank;
        if (round == ROUNDS_BEFORE && rank == size - 1) {
            if (persistent) MPI_Start(&request);
            if (reads) MPI_Start(&other);
            _exit(3);
        }
        if (persistent) {
            code = MPI_Start(&request);
            if (code == MPI_SUCCESS) code = MPI_Start(&other);
            if (code == MPI_SUCCESS) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
            if (code == MPI_SUCCESS) code = MPI_Wait(&other, MPI_STATUS_IGNORE);
        } else if (strcmp(kind, "blocking") == 0) {
            code = MPI_Allreduce(mine, sums, WORDS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        } else {
            if (round < ROUNDS_BEFORE - 10) code = MPI_Barrier(MPI_COMM_WORLD); /* in which ranks agree on plans */
            if (code == MPI_SUCCESS) code = MPI_Iallreduce(mine, sums, WORDS, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
            if (code == MPI_SUCCESS) code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        if (code != MPI_SUCCESS) {
            printf("rank %d told after %.0f ms, in round %d\n", rank, now() - last, round);
            fflush(stdout);
            _exit(0); /* a job without one of its ranks has no end that MPI knows */
        }
        if (reads && all[WORDS] != round + 1) {
            printf("rank %d: gathered wrong in round %d\n", rank, round);
            return 1;
        }
        if (sums[0] != size * round + size * (size - 1) / 2) {
            printf("rank %d: wrong in round %d\n", rank, round);
            return 1;
        }
        last = now();
    }
}
