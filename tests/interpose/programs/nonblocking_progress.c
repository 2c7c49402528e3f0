/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0 owes something and is blocked in something else, which ends only when others have got what is owed: each of {a message
   that waits for its receiver, a nonblocking collective that has begun, more of one kind than begin at once, of data with gaps}
   with each of {a barrier, a receive, a wait for another collective, a lock of a window}. With an argument, rank 0 computes as
   well, until the others have got it, as only plans can. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 300000 };         /* elements: a message that waits for its receive */
enum { MANY = 9, GAPPED = 40 }; /* collectives at a time; elements of each */
enum owed { a_message, a_collective, many_with_gaps, all_owed };
enum blocked { in_barrier, in_receive, in_other_wait, in_lock, all_blocked };
static char const* const owed_names[] = {"a message", "a collective", "many collectives"};
static char const* const blocked_names[] = {"a barrier", "a receive", "a wait", "a lock"};

static int rank, size, last, mine, sum, told;
static int* long_message;
static int* memory;
static int gapped[MANY][2 * GAPPED], gathered[MANY][2 * GAPPED * 64];
static MPI_Request many[MANY];
static MPI_Datatype with_gaps, many_gaps;
static MPI_Win window;
static MPI_Comm one, other;

static void expect(int truth, enum owed what, enum blocked where) {
    if (truth) return;
    fprintf(stderr, "rank %d: wrong: %s is owed, in %s\n", rank, owed_names[what], blocked_names[where]);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The others, and rank 0 behind what it is blocked in. */
static void get_what_is_owed(enum owed what, enum blocked where, MPI_Request* request) {
    if (what == a_message && rank == last) MPI_Recv(long_message, LONG, MPI_INT, 0, 2, one, MPI_STATUS_IGNORE);
    if (*request != MPI_REQUEST_NULL) MPI_Wait(request, MPI_STATUS_IGNORE);
    if (what == many_with_gaps)
        for (int i = 0; i < MANY; ++i) {
            MPI_Wait(&many[i], MPI_STATUS_IGNORE);
            for (int r = 0; r < size; ++r)
                expect(gathered[i][2 * GAPPED * r] == r + i && gathered[i][2 * GAPPED * (r + 1) - 2] == r + i &&
                           gathered[i][2 * GAPPED * r + 1] == -1,
                       what, where);
        }
    if (what == a_message) expect(rank != last || long_message[LONG - 1] == LONG, what, where);
    if (what == a_collective) expect(sum == size * (size + 1) / 2, what, where);
}

static void pair(enum owed what, enum blocked where) {
    MPI_Request request = MPI_REQUEST_NULL, waits = MPI_REQUEST_NULL;
    int word = rank;
    sum = told = -1;
    if (rank == last) told = 42;
    if (where == in_lock) { /* the last rank has its own window, and says so */
        if (rank == last) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, last, 0, window);
        if (rank == last) MPI_Send(&word, 1, MPI_INT, 0, 3, one);
        if (rank == 0) MPI_Recv(&word, 1, MPI_INT, last, 3, one, MPI_STATUS_IGNORE);
    }
    if (what == a_message && rank == 0) MPI_Isend(long_message, LONG, MPI_INT, last, 2, one, &request);
    if (what == a_collective) MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, one, &request);
    if (what == many_with_gaps)
        for (int i = 0; i < MANY; ++i) {
            for (int k = 0; k < GAPPED; ++k) gapped[i][2 * k] = rank + i;
            for (int k = 0; k < 2 * GAPPED * size; ++k) gathered[i][k] = -1;
            MPI_Iallgather(gapped[i], 1, with_gaps, gathered[i], 1, many_gaps, one, &many[i]);
        }
    if (rank != 0) get_what_is_owed(what, where, &request);
    switch (where) {
    case in_barrier: MPI_Barrier(other); break;
    case in_receive:
        if (rank == last) MPI_Send(&word, 1, MPI_INT, 0, 1, one);
        if (rank == 0) MPI_Recv(&word, 1, MPI_INT, last, 1, one, MPI_STATUS_IGNORE);
        break;
    case in_other_wait:
        MPI_Ibcast(&told, 1, MPI_INT, last, other, &waits);
        MPI_Wait(&waits, MPI_STATUS_IGNORE);
        expect(told == 42, what, where);
        break;
    default:
        if (rank == last) MPI_Win_unlock(last, window);
        if (rank == 0) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, last, 0, window);
            MPI_Get(&told, 1, MPI_INT, last, 0, 1, MPI_INT, window);
            MPI_Win_unlock(last, window);
            expect(told == 4711, what, where);
        }
    }
    if (rank == 0) get_what_is_owed(what, where, &request);
}

/* Rank 0 computes, until the others have told it by a store that they are through with the collective. */
static void computing(void) {
    double const until = MPI_Wtime() + 20;
    MPI_Aint bytes;
    int unit, through = 0;
    int volatile* words;
    MPI_Win shared;
    MPI_Request request;
    MPI_Win_allocate_shared(rank == 0 ? size * (MPI_Aint)sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, (void*)&words,
                            &shared);
    MPI_Win_shared_query(shared, 0, &bytes, &unit, (void*)&words);
    words[rank] = rank == 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, one, &request);
    while (rank == 0 && through < size && MPI_Wtime() < until) {
        through = 0;
        for (int r = 0; r < size; ++r) through += words[r];
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    words[rank] = 1;
    if (rank == 0 && through != size) {
        fprintf(stderr, "wrong: the others waited for the computation of rank 0\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&shared);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (size > 64) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Type_vector(GAPPED, 1, 2, MPI_INT, &with_gaps);
    MPI_Type_create_resized(with_gaps, 0, 2 * GAPPED * (MPI_Aint)sizeof(int), &many_gaps);
    MPI_Type_commit(&with_gaps);
    MPI_Type_commit(&many_gaps);
    last = size - 1;
    mine = rank + 1;
    long_message = calloc(LONG, sizeof *long_message);
    long_message[LONG - 1] = rank == 0 ? LONG : 0;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 4711;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < 40; ++round) {
        for (int what = 0; what < all_owed; ++what)
            for (int where = 0; where < all_blocked && size > 1; ++where) pair((enum owed)what, (enum blocked)where);
        MPI_Barrier(one); /* in which ranks can agree */
        MPI_Barrier(other);
    }
    if (argc > 1)
        for (int round = 0; round < 3; ++round) computing();
    MPI_Win_free(&window);
    MPI_Type_free(&with_gaps);
    MPI_Type_free(&many_gaps);
    MPI_Comm_free(&one);
    MPI_Comm_free(&other);
    free(long_message);
    if (rank == 0) puts("all right");
    MPI_Finalize();
    return 0;
}
