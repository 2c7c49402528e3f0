/* SPDX-License-Identifier: Apache-2.0 */
/* What can be done with the request of a persistent collective beside starting and waiting, from C: in any order, together with
 * other requests, freed at any time, misused; and what it holds on to. */
#include <sode/mpi4.h>

#include <stdio.h>
#include <string.h>

static int failures = 0;
static int rank, ranks;

#define EXPECT(condition)                                                                                                          \
    do {                                                                                                                           \
        if (!(condition) && ++failures < 20) printf("rank %d, line %d: not so: %s\n", rank, __LINE__, #condition);                 \
    } while (0)

static int sum_to(int n) {
    return n * (n + 1) / 2;
}

/* Ranks start them in different orders. */
static void orders(void) {
    enum { many = 5 };
    int in[many], out[many];
    MPI_Request q[many];
    for (int i = 0; i < many; ++i) MPI_Allreduce_init(in + i, out + i, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, q + i);
    for (int start = 0; start < 4; ++start) {
        for (int i = 0; i < many; ++i) in[i] = rank + 1 + 100 * i + start, out[i] = -1;
        for (int i = 0; i < many; ++i) MPI_Start(q + (i * (rank % 2 ? 1 : many - 1) + rank + start) % many);
        for (int i = many; i-- > 0;) MPI_Wait(q + (rank % 3 ? i : many - 1 - i), MPI_STATUS_IGNORE);
        for (int i = 0; i < many; ++i) EXPECT(out[i] == sum_to(ranks) + ranks * (100 * i + start));
    }
    for (int i = 0; i < many; ++i) MPI_Request_free(q + i);
}

/* Waited for together with messages, by every function that there is. */
static void together(void) {
    for (int way = 0; way < 7; ++way) {
        int value = 0, got = -1, one = rank + 1, all = 0, flag = 0, index = 0, done = 0, indices[4], over = 0;
        int const next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
        MPI_Request q[4];
        MPI_Status s[4];
        MPI_Bcast_init(&value, 1, MPI_INT, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL, q);
        MPI_Scan_init(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, q + 2);
        MPI_Send_init(&rank, 1, MPI_INT, next, way, MPI_COMM_WORLD, q + 3);
        for (int start = 0; start < 3; ++start) {
            value = rank == ranks - 1 ? 7 + start : 0, got = -1, all = 0, over = 0;
            MPI_Irecv(&got, 1, MPI_INT, last, way, MPI_COMM_WORLD, q + 1);
            MPI_Start(q);
            MPI_Startall(2, q + 2);
            switch (way) {
            case 0: MPI_Waitall(4, q, s); break;
            case 1:
                for (flag = 0; !flag;) MPI_Testall(4, q, &flag, s);
                break;
            case 2:
                for (; over < 4; ++over) {
                    MPI_Waitany(4, q, &index, s);
                    EXPECT(index >= 0 && index < 4);
                }
                MPI_Waitany(4, q, &index, s);
                EXPECT(index == MPI_UNDEFINED);
                break;
            case 3:
                while (over < 4) MPI_Testany(4, q, &index, &flag, s), over += flag ? 1 : 0;
                break;
            case 4:
                for (; over < 4; over += done) MPI_Waitsome(4, q, &done, indices, s);
                MPI_Waitsome(4, q, &done, indices, s);
                EXPECT(done == MPI_UNDEFINED);
                break;
            case 5:
                for (; over<4; over += done> 0 ? done : 0) MPI_Testsome(4, q, &done, indices, s);
                break;
            default:
                for (int i = 0; i < 4; ++i) {
                    for (flag = 0; !flag;) MPI_Request_get_status(q[i], &flag, s);
                    MPI_Wait(q + i, s);
                }
            }
            EXPECT(value == 7 + start);
            EXPECT(got == last);
            EXPECT(all == sum_to(rank + 1));
            EXPECT(q[1] == MPI_REQUEST_NULL && q[0] != MPI_REQUEST_NULL && q[2] != MPI_REQUEST_NULL);
        }
        MPI_Request_free(q), MPI_Request_free(q + 2), MPI_Request_free(q + 3);
    }
}

/* What is not started is over at once, with an empty status. */
static void inactive(void) {
    MPI_Request q;
    MPI_Status s;
    int flag = 0, index = 0;
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &q);
    MPI_Wait(&q, &s);
    EXPECT(s.MPI_SOURCE == MPI_ANY_SOURCE && s.MPI_TAG == MPI_ANY_TAG);
    MPI_Test(&q, &flag, &s);
    EXPECT(flag);
    MPI_Request_get_status(q, &flag, &s);
    EXPECT(flag);
    MPI_Waitany(1, &q, &index, &s);
    EXPECT(index == MPI_UNDEFINED);
    EXPECT(q != MPI_REQUEST_NULL);
    MPI_Start(&q);
    MPI_Wait(&q, &s);
    MPI_Request_free(&q);
}

static void twice(void* in, void* inout, int* n, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *n; ++i) ((int*)inout)[2 * i] += ((int*)in)[2 * i];
}

/* Datatype, operator, lists and communicator are gone before the first start. */
static void held(void) {
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Comm other;
    MPI_Request q, r;
    int in[4] = {0}, out[4] = {0}, given[64], taken[64], counts[64], places[64];
    MPI_Type_vector(1, 1, 2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 2 * (MPI_Aint)sizeof(int), &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(twice, 1, &op);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Allreduce_init(in, out, 2, pair, op, other, MPI_INFO_NULL, &q);
    for (int i = 0; i < ranks; ++i) counts[i] = 1, places[i] = ranks - 1 - i;
    MPI_Alltoallv_init(given, counts, places, MPI_INT, taken, counts, places, MPI_INT, other, MPI_INFO_NULL, &r);
    memset(counts, -1, sizeof counts), memset(places, -1, sizeof places);
    MPI_Type_free(&pair);
    MPI_Op_free(&op);
    EXPECT(op == MPI_OP_NULL);
    MPI_Comm_free(&other);
    for (int start = 0; start < 3; ++start) {
        for (int i = 0; i < 4; ++i) in[i] = rank + i + start, out[i] = -1;
        for (int i = 0; i < ranks; ++i) given[ranks - 1 - i] = 10 * rank + i + start;
        MPI_Start(&q), MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE), MPI_Wait(&q, MPI_STATUS_IGNORE);
        EXPECT(out[0] == sum_to(ranks) - ranks + ranks * start && out[2] == out[0] + 2 * ranks && out[1] == -1 && out[3] == -1);
        for (int i = 0; i < ranks; ++i) EXPECT(taken[ranks - 1 - i] == 10 * i + rank + start);
    }
    MPI_Request_free(&q), MPI_Request_free(&r);
}

/* More of them than an MPI has communicators (2,048 in MPICH); freed by ranks in different orders. */
static void many(void) {
    MPI_Request q[8];
    int value = 0;
    for (int i = 0; i < 300; ++i) {
        for (int k = 0; k < 8; ++k) MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, q + k);
        if (rank == 0) value = i;
        MPI_Start(q + i % 8);
        MPI_Wait(q + i % 8, MPI_STATUS_IGNORE);
        EXPECT(value == i);
        for (int k = 0; k < 8; ++k) MPI_Request_free(q + (rank % 2 ? k : 7 - k));
    }
}

static void freed_while_active(void) {
    MPI_Request q;
    static int one, all; /* the call may still write when this function has returned */
    one = rank + 1;
    MPI_Allreduce_init(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
    MPI_Start(&q);
    MPI_Request_free(&q);
    EXPECT(q == MPI_REQUEST_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void misused(void) {
    MPI_Request q;
    int kind = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &q);
    MPI_Error_class(MPI_Cancel(&q), &kind);
    EXPECT(kind == MPI_ERR_REQUEST);
    MPI_Start(&q);
    MPI_Error_class(MPI_Start(&q), &kind);
    EXPECT(kind == MPI_ERR_REQUEST);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Request_free(&q);
    EXPECT(MPI_Bcast_init(&kind, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &q) != MPI_SUCCESS);
#if MPI_VERSION < 4
    MPI_Error_class(MPI_Bcast_init_c(&kind, (MPI_Count)1 << 33, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &q), &kind);
    EXPECT(kind == MPI_ERR_COUNT);
#endif
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* The level of threads is that which the program asked for, whatever the MPI layer has asked MPI for. */
static void level(void) {
    int provided = -1, first = 0;
    MPI_Query_thread(&provided);
    MPI_Is_thread_main(&first);
    EXPECT(provided == MPI_THREAD_SINGLE);
    EXPECT(first);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    level();
    orders();
    together();
    inactive();
    held();
    many();
    misused();
    freed_while_active();
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%d failures\n", all);
    MPI_Finalize();
    return all != 0;
}
