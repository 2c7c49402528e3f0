/* SPDX-License-Identifier: Apache-2.0 */
/* last_calls WHAT: what a program does where MPI calls it back (MPI-4.0, 7.7.2 and 11.2.4).
 *   finalize   receives, in what hangs on MPI_COMM_SELF, messages that were sent before MPI_Finalize
 *   free       the same in what hangs on a communicator that is freed
 *   dying      collectives and messages there on the communicator that is freed, whose handle the next one gets
 *   deleted    the same where an attribute is deleted, on all ranks or on one
 *   types      messages of a datatype where its attribute is deleted or replaced, and then of another with its handle
 *   inner      frees a communicator there that has plans
 *   handler    waits, in the error handler that a message calls, for a nonblocking collective
 *   memory     a collective for which there is no memory: an error on all ranks, and then goes on
 *   nothing    messages without elements and without a datatype, which MPICH takes */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

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
/* The neighbour around the ring of a communicator, and its message there. */
static void around(MPI_Comm communicator) {
    int own, all;
    MPI_Comm_rank(communicator, &own);
    MPI_Comm_size(communicator, &all);
    int* const from = malloc(2 * elements * sizeof *from);
    int* const into = calloc(2 * elements, sizeof *into);
    for (int i = 0; i < elements; ++i) from[2 * i] = own + i;
    MPI_Sendrecv(from, 1, type, (own + 1) % all, 6, into, 1, type, (own + all - 1) % all, 6, communicator, MPI_STATUS_IGNORE);
    for (int i = 0; i < elements; ++i) expect(into[2 * i] == (own + all - 1) % all + i && into[2 * i + 1] == 0, "a message around");
    free(from);
    free(into);
}
static int uses(MPI_Comm communicator, int key, void* attribute, void* extra) {
    (void)key, (void)attribute, (void)extra;
    ++called;
    expect(sum(1, communicator) == size, "a sum on what is freed");
    around(communicator);
    return MPI_SUCCESS;
}
static void dying(int key) {
    for (int round = 0; round < 6; ++round) {
        MPI_Comm own, part;
        MPI_Comm_dup(MPI_COMM_WORLD, &own);
        MPI_Comm_set_attr(own, key, NULL);
        if (round % 2 != 0) sum(1, own), around(own);
        MPI_Comm_free(&own);
        expect(called == round + 1, "the call of a callback");
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part); /* fewer ranks, in another order */
        int fewer;
        MPI_Comm_size(part, &fewer);
        for (int i = 0; i < calls; ++i) expect(sum(i, part) == i * fewer, "a sum on what came after it");
        around(part);
        MPI_Comm_free(&part);
    }
}
/* What MPI-2.0 deprecates, mpi.h may not declare. */
int MPI_Attr_delete(MPI_Comm communicator, int key);
static void deleted(int key) {
    for (int round = 0; round < 9; ++round) {
        int const alone = round % 3 == 2; /* the others call the same without an attribute */
        MPI_Comm own, part;
        MPI_Comm_dup(MPI_COMM_WORLD, &own);
        if (rank == 0 || !alone) {
            MPI_Comm_set_attr(own, key, NULL);
            round % 3 == 0 ? MPI_Comm_delete_attr(own, key) : MPI_Attr_delete(own, key);
        } else {
            uses(own, key, NULL, NULL);
        }
        expect(called == round + 1, "the call of a callback");
        for (int i = 0; i < calls; ++i) expect(sum(i, own) == i * size, "a sum after it");
        around(own);
        MPI_Comm_free(&own);
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
        int fewer;
        MPI_Comm_size(part, &fewer);
        for (int i = 0; i < calls; ++i) expect(sum(i, part) == i * fewer, "a sum on what came after it");
        around(part);
        MPI_Comm_free(&part);
    }
}
/* Messages of `count` integers, one in `every`, to oneself and around. */
static void pieces(MPI_Datatype of, int count, int every) {
    int* const from = malloc((size_t)count * every * sizeof *from);
    int* const into = malloc((size_t)count * every * sizeof *into);
    for (int message = 0; message < 12; ++message) {
        for (int i = 0; i < count * every; ++i) from[i] = rank + i, into[i] = -1;
        int const to = message % 2 != 0 ? rank : (rank + 1) % size, source = message % 2 != 0 ? rank : (rank + size - 1) % size;
        MPI_Sendrecv(from, 1, of, to, 7, into, 1, of, source, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < count * every; ++i) expect(into[i] == (i % every == 0 ? source + i : -1), "a message of pieces");
    }
    free(from);
    free(into);
}
struct of_pieces {
    int count, every;
};
static int sends(MPI_Datatype of, int key, void* attribute, void* extra) {
    (void)key, (void)extra;
    ++called;
    struct of_pieces const* const p = attribute;
    pieces(of, p->count, p->every);
    return MPI_SUCCESS;
}
static void types(void) {
    int key, other;
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &other, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, sends, &key, NULL);
    int calls = 0;
    for (int round = 0; round < 12; ++round) {
        struct of_pieces p = {round % 2 != 0 ? 4 : 3000, 2 + round % 3}, q = {p.count / 2, 5};
        MPI_Datatype first, next;
        MPI_Type_vector(p.count, 1, p.every, MPI_INT, &first);
        MPI_Type_commit(&first);
        MPI_Type_set_attr(first, other, NULL);
        MPI_Type_set_attr(first, key, &p);
        if (round % 3 != 0) MPI_Type_set_attr(first, key, &p);
        MPI_Type_delete_attr(first, key);
        calls += round % 3 != 0 ? 2 : 1;
        expect(called == calls, "the call of a callback");
        MPI_Type_free(&first);
        MPI_Type_vector(q.count, 1, q.every, MPI_INT, &next);
        MPI_Type_commit(&next);
        pieces(next, q.count, q.every);
        MPI_Type_free(&next);
    }
    MPI_Type_free_keyval(&key);
    MPI_Type_free_keyval(&other);
}
static int frees(MPI_Comm communicator, int key, void* attribute, void* extra) {
    (void)communicator, (void)key, (void)extra;
    ++called;
    MPI_Comm* const inner = attribute;
    expect(sum(1, *inner) == size, "a sum in a callback");
    return MPI_Comm_free(inner);
}

/* What an odd rank began before the message that calls its handler. Its even one begins it when the handler tells it to. */
static struct {
    MPI_Comm among;
    MPI_Request request;
    int mine, all;
} begun;
static void begin(void) {
    begun.all = -1;
    MPI_Iallreduce(&begun.mine, &begun.all, 1, MPI_INT, MPI_SUM, begun.among, &begun.request);
}
static void end(char const* what) {
    MPI_Wait(&begun.request, MPI_STATUS_IGNORE);
    expect(begun.request == MPI_REQUEST_NULL && begun.all == size * (size - 1) / 2, what);
}
static void handles(MPI_Comm* communicator, int* code, ...) {
    (void)communicator, (void)code;
    ++called;
    MPI_Send(NULL, 0, MPI_INT, rank - 1, 5, begun.among);
    end("a collective that is waited for in a handler");
}
static void handler(void) {
    MPI_Comm_dup(MPI_COMM_WORLD, &begun.among);
    begun.mine = rank;
    for (int i = 0; i < calls; ++i) { /* plans are agreed on in blocking calls */
        begin();
        end("a collective");
        MPI_Barrier(begun.among);
    }
    MPI_Errhandler own;
    MPI_Comm_create_errhandler(handles, &own);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
    if (rank % 2 == 0) {
        send(4);
        if (rank + 1 < size) MPI_Recv(NULL, 0, MPI_INT, rank + 1, 5, begun.among, MPI_STATUS_IGNORE);
        begin();
        end("a collective");
    } else {
        begin();
        int* const into = calloc(2 * elements, sizeof *into);
        MPI_Datatype half; /* too little room */
        MPI_Type_vector(elements / 2, 1, 2, MPI_INT, &half);
        MPI_Type_commit(&half);
        int const code = MPI_Recv(into, 1, half, rank - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(code != MPI_SUCCESS && called == 1, "the call of a handler");
        MPI_Type_free(&half);
        free(into);
    }
    MPI_Errhandler_free(&own);
    MPI_Comm_free(&begun.among);
}

/* Bytes of address space that this process has. */
static rlim_t address_space(void) {
    unsigned long pages = 0;
    FILE* const file = fopen("/proc/self/statm", "r");
    expect(file != NULL && fscanf(file, "%lu", &pages) == 1, "/proc/self/statm");
    fclose(file);
    return (rlim_t)pages * 4096;
}
static void memory(void) {
    enum { bytes = 4 << 20 };
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    for (int i = 0; i < calls; ++i) expect(sum(i, own) == i * size, "a sum");
    char* const data = malloc(bytes);
    struct rlimit limit, less;
    getrlimit(RLIMIT_AS, &limit);
    for (int call = 0; call < 6; ++call) { /* the third is to be planned */
        memset(data, rank == 0 ? call : -1, bytes);
        less = limit;
        less.rlim_cur = address_space() + bytes / 4;
        if (call == 2) setrlimit(RLIMIT_AS, &less);
        int const code = MPI_Bcast(data, bytes, MPI_BYTE, 0, own);
        setrlimit(RLIMIT_AS, &limit);
        int kind = MPI_SUCCESS;
        MPI_Error_class(code, &kind);
        expect(kind == (call == 2 ? MPI_ERR_NO_MEM : MPI_SUCCESS), "a broadcast without memory for its plan");
        expect(call == 2 || (data[0] == call && data[bytes - 1] == call), "a broadcast");
    }
    free(data);
    MPI_Comm_free(&own);
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
    } else if (strcmp(what, "dying") == 0) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, uses, &key, NULL);
        dying(key);
    } else if (strcmp(what, "deleted") == 0) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, uses, &key, NULL);
        deleted(key);
    } else if (strcmp(what, "types") == 0) {
        types();
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
    } else if (strcmp(what, "handler") == 0) {
        handler();
    } else if (strcmp(what, "memory") == 0) {
        memory();
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
