/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent collectives that are made and freed many times, on one communicator and on many that come and go; several that are
   started in an order that differs between ranks; and blocking ones of many lengths. TEST_REPEATS times 5,000, 500, 51,000 and
   20,000 of them; memory must not grow. */
#include <sode/mpi4.h>

#include <stdio.h>
#include <stdlib.h>

enum { KINDS = 6, WORDS = 64, MOST_RANKS = 16 };

static int rank, size;
static long wrong;

static long kilobytes(void) {
    long all = 0, resident = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
    if (file != NULL) fclose(file);
    return 4 * resident;
}

static void must_not_grow(long before, char const* what, int times) {
    long const after = kilobytes();
    if (after <= before + 4096) return;
    fprintf(stderr, "rank %d: %d %s, from %ld to %ld KB\n", rank, times, what, before, after);
    ++wrong;
}

static void make_and_free(int times) {
    int mine = rank + 1, sum;
    long before = 0;
    for (int i = 0; i < times; ++i) {
        MPI_Request request;
        sum = -1;
        MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += sum != size * (size + 1) / 2;
        MPI_Request_free(&request);
        if (i == times / 5) before = kilobytes();
    }
    must_not_grow(before, "times made and freed", times);
}

static void come_and_go(int communicators) {
    int mine = rank + 1, sum;
    long before = 0;
    for (int i = 0; i < communicators; ++i) {
        MPI_Comm own;
        MPI_Request request;
        MPI_Comm_dup(MPI_COMM_WORLD, &own);
        MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, own, MPI_INFO_NULL, &request);
        for (int start = 0; start < 2; ++start) {
            sum = -1;
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            wrong += sum != size * (size + 1) / 2;
        }
        /* Some requests go first, and some communicators. */
        if (i % 2 == 0) MPI_Request_free(&request);
        MPI_Comm_free(&own);
        if (i % 2 == 1) MPI_Request_free(&request);
        if (i == communicators / 5) before = kilobytes();
    }
    must_not_grow(before, "communicators", communicators);
}

static void lengths(int many) {
    enum { MOST = 4000, TIMES = 4 };
    static int gives[MOST], gets[MOST];
    long before = 0;
    for (int i = 0; i < many; ++i) {
        int const n = 1 + i % MOST;
        for (int k = 0; k < TIMES; ++k) {
            gives[n - 1] = i + k + rank;
            MPI_Allreduce(gives, gets, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            wrong += gets[n - 1] != size * (i + k) + size * (size - 1) / 2;
        }
        if (i == many / 5) before = kilobytes();
    }
    must_not_grow(before, "lengths", many);
}

static void shuffle(int* order, unsigned* seed) {
    for (int k = 0; k < KINDS; ++k) order[k] = k;
    for (int k = KINDS - 1; k > 0; --k) {
        int other, kept;
        *seed = *seed * 1103515245U + 12345U;
        other = (int)((*seed >> 16) % (unsigned)(k + 1));
        kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

static void start_in_any_order(int times) {
    static int gives[KINDS][WORDS], gets[KINDS][WORDS * MOST_RANKS];
    unsigned seed = 12345U * (unsigned)(rank + 1);
    MPI_Request all[KINDS];
    MPI_Status statuses[KINDS];
    MPI_Comm const on = MPI_COMM_WORLD;
    int const others = size * (size - 1) / 2, last = size - 1;
    long before = 0;
    MPI_Allreduce_init(gives[0], gets[0], WORDS, MPI_INT, MPI_SUM, on, MPI_INFO_NULL, &all[0]);
    MPI_Bcast_init(gives[1], WORDS, MPI_INT, 0, on, MPI_INFO_NULL, &all[1]);
    MPI_Allgather_init(gives[2], WORDS, MPI_INT, gets[2], WORDS, MPI_INT, on, MPI_INFO_NULL, &all[2]);
    MPI_Barrier_init(on, MPI_INFO_NULL, &all[3]);
    MPI_Scan_init(gives[4], gets[4], WORDS, MPI_INT, MPI_MAX, on, MPI_INFO_NULL, &all[4]);
    MPI_Reduce_init(gives[5], gets[5], WORDS, MPI_INT, MPI_SUM, last, on, MPI_INFO_NULL, &all[5]);
    for (int i = 0; i < times; ++i) {
        int order[KINDS], index, at = i % WORDS;
        for (int k = 0; k < KINDS; ++k) gives[k][at] = i + rank + k;
        shuffle(order, &seed);
        for (int k = 0; k < KINDS; ++k) MPI_Start(&all[order[k]]);
        if (i % 3 == 0)
            for (int k = KINDS - 1; k >= 0; --k) MPI_Wait(&all[order[k]], MPI_STATUS_IGNORE);
        else if (i % 3 == 1)
            MPI_Waitall(KINDS, all, statuses);
        else
            for (int k = 0; k < KINDS; ++k) MPI_Waitany(KINDS, all, &index, MPI_STATUS_IGNORE);
        wrong += gets[0][at] != size * i + others;
        wrong += gives[1][at] != i + 1;
        for (int r = 0; r < size; ++r) wrong += gets[2][r * WORDS + at] != i + r + 2;
        wrong += gets[4][at] != i + rank + 4;
        wrong += rank == last && gets[5][at] != size * (i + 5) + others;
        if (i == times / 5) before = kilobytes();
    }
    must_not_grow(before, "times started, all six", times);
    for (int k = 0; k < KINDS; ++k) MPI_Request_free(&all[k]);
}

int main(int argc, char** argv) {
    char const* const repeats = getenv("TEST_REPEATS");
    int const scale = repeats == NULL ? 1 : atoi(repeats);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_and_free(5000 * scale);
    if (argc == 1) { /* more words: ranks of an MPI that spins share processors, and what it does itself takes minutes */
        come_and_go(500 * scale);
        lengths(5000 * scale);
    }
    start_in_any_order(8500 * scale);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0) printf("%ld wrong\n", wrong);
    return wrong != 0;
}
