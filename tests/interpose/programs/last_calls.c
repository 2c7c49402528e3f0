/* SPDX-License-Identifier: Apache-2.0 */
/* last_calls WHAT: what a program does where MPI calls it back (MPI-4.0, 7.7.2 and 11.2.4).
 *   finalize   receives, in what hangs on MPI_COMM_SELF, messages that were sent before MPI_Finalize
 *   free       the same in what hangs on a communicator that is freed
 *   inner      frees a communicator there that has plans
 *   nothing    messages without elements and without a datatype, which MPICH takes */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { elements = 20000, calls = 60 };
static int rank, size, called;
static MPI_Datatype type;

static void expect(int right, char const* what) {
    if (right) return;
    fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
static int sum(int mine, MPI_Comm communicator) {
    int all = -1;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, communicator);
    return all;
}

/* Even ranks send to odd ones. */
static void send(int tag) {
    if (rank % 2 != 0 || rank + 1 == size) return;
    int* const from = malloc(2 * elements * sizeof *from);
    for (int i = 0; i < elements; ++i) from[2 * i] = rank + i, from[2 * i + 1] = -1;
    MPI_Send(from, 1, type, rank + 1, tag, MPI_COMM_WORLD);
    free(from);
}
static void receive(int tag) {
    if (rank % 2 == 0) return;
    int* const into = calloc(2 * elements, sizeof *into);
    MPI_Recv(into, 1, type, rank - 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < elements; ++i) expect(into[2 * i] == rank - 1 + i && into[2 * i + 1] == 0, "a message in a callback");
    free(into);
}

static int receives(MPI_Comm communicator, int key, void* attribute, void* extra) {
    (void)key, (void)attribute, (void)extra;
    ++called;
    receive(2);
    expect(sum(1, MPI_COMM_WORLD) == size, "a sum in a callback");
    if (communicator == MPI_COMM_SELF) MPI_Type_free(&type);
    return MPI_SUCCESS;
}
static int frees(MPI_Comm communicator, int key, void* attribute, void* extra) {
    (void)communicator, (void)key, (void)extra;
    ++called;
    MPI_Comm* const inner = attribute;
    expect(sum(1, *inner) == size, "a sum in a callback");
    return MPI_Comm_free(inner);
}

int main(int count, char** words) {
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char const* const what = count > 1 ? words[1] : "";
    MPI_Type_vector(elements, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 8; ++i) send(1), receive(1);
    int key = MPI_KEYVAL_INVALID;
    if (strcmp(what, "finalize") == 0) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, receives, &key, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
        send(2);
    } else if (strcmp(what, "free") == 0) {
        MPI_Comm own;
        MPI_Comm_dup(MPI_COMM_WORLD, &own);
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, receives, &key, NULL);
        MPI_Comm_set_attr(own, key, NULL);
        send(2);
        MPI_Comm_free(&own);
        expect(called == 1, "the call of a callback");
    } else if (strcmp(what, "inner") == 0) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, frees, &key, NULL);
        static MPI_Comm inner, last;
        for (int round = 0; round < 10; ++round) {
            MPI_Comm outer;
            MPI_Comm_dup(MPI_COMM_WORLD, &outer);
            MPI_Comm_dup(outer, &inner);
            MPI_Comm_set_attr(outer, key, &inner);
            for (int i = 0; i < calls; ++i) expect(sum(i, inner) == i * size, "a sum");
            MPI_Comm_free(&outer);
            expect(called == round + 1, "the call of a callback");
        }
        MPI_Comm_dup(MPI_COMM_WORLD, &last);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, &last);
        for (int i = 0; i < calls; ++i) expect(sum(i, last) == i * size, "a sum");
    } else {
#ifdef MPICH
        int nothing = 0;
        for (int i = 0; i < calls; ++i) {
            int const left = (rank + size - 1) % size, right = (rank + 1) % size;
            MPI_Request request;
            MPI_Irecv(&nothing, 0, MPI_DATATYPE_NULL, left, 3, MPI_COMM_WORLD, &request);
            MPI_Send(&nothing, 0, MPI_DATATYPE_NULL, right, 3, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
#endif
    }
    if (strcmp(what, "finalize") != 0) MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
