/* SPDX-License-Identifier: Apache-2.0 */
/* A rank that has started a persistent collective and then computes, or is blocked in MPI, must not hold up those who wait for it.
 */
#include <sode/mpi4.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LONG = 300000 }; /* elements: a message that waits for its receive */

static int rank, size, failures;
static int* long_message;

static void expect(int truth, char const* what) {
    if (!truth) {
        fprintf(stderr, "rank %d: %s\n", rank, what);
        ++failures;
    }
}

/* Rank 0 starts, and is blocked in a receive whose sender waits for the collective first. */
static void blocked_in_receive(MPI_Request* request, int* sum) {
    int word = rank;
    MPI_Start(request);
    if (rank == 0) {
        for (int r = 1; r < size; ++r) MPI_Recv(&word, 1, MPI_INT, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(request, MPI_STATUS_IGNORE);
    } else {
        MPI_Wait(request, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    expect(*sum == size * (size + 1) / 2, "a sum, with rank 0 blocked in MPI_Recv");
}

/* Rank 0 starts and computes, until the others, who wait for the collective, have told it by a store that they are through with it.
 */
static void computing(MPI_Request* request, int* sum) {
    double const until = MPI_Wtime() + 20;
    MPI_Aint bytes;
    int unit, through = 0;
    int volatile* words;
    MPI_Win window;
    MPI_Win_allocate_shared(rank == 0 ? size * (MPI_Aint)sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, (void*)&words,
                            &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, (void*)&words);
    words[rank] = rank == 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Start(request);
    while (rank == 0 && through < size && MPI_Wtime() < until) {
        through = 0;
        for (int r = 0; r < size; ++r) through += words[r];
    }
    MPI_Wait(request, MPI_STATUS_IGNORE);
    words[rank] = 1;
    expect(rank != 0 || through == size, "the others waited for the computation of rank 0");
    expect(*sum == size * (size + 1) / 2, "a sum, with rank 0 computing");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
}

/* Rank 0 waits for a plan while another rank sends it a long message that it has not received: MPI must be given its turn. */
static void owing_a_message(MPI_Request* request, int* sum) {
    MPI_Request send = MPI_REQUEST_NULL;
    if (rank == 0) MPI_Isend(long_message, LONG, MPI_INT, size - 1, 2, MPI_COMM_WORLD, &send);
    if (rank == size - 1) MPI_Recv(long_message, LONG, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    expect(*sum == size * (size + 1) / 2, "a sum, with a message that is owed");
}

/* Two plans, started in different orders and waited for in different orders. */
static void crossed(MPI_Request* one, MPI_Request* other, int* sum, int* last) {
    if (rank % 2 == 0) {
        MPI_Start(one), MPI_Start(other);
        MPI_Wait(other, MPI_STATUS_IGNORE), MPI_Wait(one, MPI_STATUS_IGNORE);
    } else {
        MPI_Start(other);
        MPI_Start(one);
        MPI_Wait(one, MPI_STATUS_IGNORE), MPI_Wait(other, MPI_STATUS_IGNORE);
    }
    expect(*sum == size * (size + 1) / 2, "a sum, of two that are crossed");
    expect(*last == size - 1, "a broadcast, of two that are crossed");
}

/* Rank 0 computes under a lock of its window, after it has started: the others read there, and wait. */
static void passive_target(MPI_Request* request, int* sum, MPI_Win window) {
    int got = -1;
    MPI_Start(request);
    if (rank == 0) {
        MPI_Wait(request, MPI_STATUS_IGNORE);
    } else {
        MPI_Wait(request, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
        expect(got == 4711, "a word of rank 0's window");
    }
    expect(*sum == size * (size + 1) / 2, "a sum, beside a window");
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Waits for any, some and all of a mixture. */
static void mixed(MPI_Request* request, int* sum) {
    MPI_Request all[3];
    MPI_Status statuses[3];
    int word[2], index = -1, done = 0, left = 3, flag = 0, rounds = 0;
    for (int round = 0; round < 3; ++round) {
        all[0] = *request;
        MPI_Start(all);
        MPI_Irecv(word, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, all + 1);
        MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, all + 2);
        if (round == 0) {
            for (left = 3; left > 0; --left) {
                MPI_Waitany(3, all, &index, MPI_STATUS_IGNORE);
                expect(index >= 0 && index < 3, "an index");
            }
            MPI_Waitany(3, all, &index, MPI_STATUS_IGNORE);
            expect(index == MPI_UNDEFINED, "no index, as nothing is active");
        } else if (round == 1) {
            int indices[3];
            for (left = 3; left > 0; left -= done) {
                MPI_Waitsome(3, all, &done, indices, statuses);
                expect(done > 0 && done <= left, "some");
                if (done <= 0) break;
            }
        } else {
            while (!flag && ++rounds < 100000000) MPI_Testall(3, all, &flag, statuses);
            expect(flag, "all");
        }
        expect(all[0] == *request && all[1] == MPI_REQUEST_NULL, "handles");
        expect(word[0] == (rank + size - 1) % size, "a message of a mixture");
        expect(*sum == size * (size + 1) / 2, "a sum of a mixture");
        *sum = -1;
    }
}

int main(int argc, char** argv) {
    static int mine, sum, last;
    int* memory;
    MPI_Request add, tell;
    MPI_Win window;
    MPI_Comm own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    long_message = calloc(LONG, sizeof *long_message);
    MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 4711;
    mine = rank + 1;
    last = rank == size - 1 ? rank : -1;
    MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, own, MPI_INFO_NULL, &add);
    MPI_Bcast_init(&last, 1, MPI_INT, size - 1, own, MPI_INFO_NULL, &tell);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < 5; ++round) {
        sum = -1;
        if (size > 1) blocked_in_receive(&add, &sum), sum = -1, owing_a_message(&add, &sum);
        sum = -1;
        passive_target(&add, &sum, window);
        crossed(&add, &tell, &sum, &last);
        mixed(&add, &sum);
    }
    sum = -1;
    if (argc > 1) computing(&add, &sum); /* as only plans can, which a helper goes on with */
    MPI_Comm_free(&own);                 /* they outlive it */
    sum = -1;
    MPI_Start(&add);
    MPI_Wait(&add, MPI_STATUS_IGNORE);
    expect(sum == size * (size + 1) / 2, "a sum after MPI_Comm_free");
    MPI_Request_free(&add);
    MPI_Request_free(&tell);
    MPI_Win_free(&window);
    free(long_message);
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0) printf("%d failures\n", failures);
    return failures != 0;
}
