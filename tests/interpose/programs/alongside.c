/* SPDX-License-Identifier: Apache-2.0 */
/* alongside WHAT...: messages of a derived datatype around a ring, and what programs do besides:
 *   outstanding  more sends under way than the layer has slots
 *   flood        everybody sends to everybody before anybody receives
 *   one-sided    puts and gets of the same datatype in the same epochs
 *   children     fork, system, popen, dlopen, and threads of OpenMP while a message is under way
 *   unfinished   MPI_Finalize with sends and receives that nobody has waited for */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { elements = 2000 };
static int rank, size, left, right;
static MPI_Datatype type;

static int* array(int first) {
    int* const a = malloc(2 * elements * sizeof *a);
    for (int i = 0; i < elements; ++i) a[2 * i] = first + i, a[2 * i + 1] = -1;
    return a;
}
static void expect(int const* a, int first, char const* what) {
    for (int i = 0; i < elements; ++i)
        if (a[2 * i] != first + i || a[2 * i + 1] != -1) {
            fprintf(stderr, "rank %d: wrong: %s, element %d\n", rank, what, i);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
}
static void expect_true(int right_is, char const* what) {
    if (right_is) return;
    fprintf(stderr, "rank %d: %s does not work\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void outstanding(void) {
    enum { many = 1000 };
    static MPI_Request requests[many];
    static int* from[many];
    int* const into = array(0);
    for (int i = 0; i < many; ++i) MPI_Isend(from[i] = array(i), 1, type, right, 1, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < many; ++i) {
        MPI_Recv(into, 1, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(into, i, "outstanding sends");
    }
    MPI_Waitall(many, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < many; ++i) free(from[i]);
    free(into);
}

static void flood(void) {
    enum { each = 60 };
    int const others = size - 1;
    MPI_Request* const requests = malloc(each * (unsigned)size * sizeof *requests);
    int *const from = array(rank), *const into = array(0), going = 0;
    MPI_Status status;
    for (int i = 0; i < each; ++i)
        for (int to = 0; to < size; ++to)
            if (to != rank) MPI_Isend(from, 1, type, to, 1, MPI_COMM_WORLD, &requests[going++]);
    for (int i = 0; i < each * others; ++i) {
        MPI_Recv(into, 1, type, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        expect(into, status.MPI_SOURCE, "flood");
    }
    MPI_Waitall(going, requests, MPI_STATUSES_IGNORE);
    free(requests), free(from), free(into);
}

static void one_sided(void) {
    int *const from = array(rank), *const into = array(0), *const got = array(0), *window;
    MPI_Win win;
    MPI_Request request;
    MPI_Win_allocate(2 * elements * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    memset(window, 0xff, 2 * elements * sizeof(int));
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < elements; ++i) from[2 * i] = rank + round + i;
        MPI_Win_fence(0, win);
        MPI_Put(from, 1, type, right, 0, 1, type, win);
        MPI_Isend(from, 1, type, right, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(into, 1, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_fence(0, win);
        expect(into, left + round, "a message beside a put");
        expect(window, left + round, "a put beside a message");
        MPI_Isend(from, 1, type, right, 1, MPI_COMM_WORLD, &request);
        MPI_Get(got, 1, type, right, 0, 1, type, win);
        MPI_Recv(into, 1, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_fence(0, win);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(into, left + round, "a message beside a get");
        expect(got, rank + round, "a get beside a message");
    }
    MPI_Win_free(&win);
    free(from), free(into), free(got);
}

static void children(void) {
    for (int round = 0; round < 3; ++round) {
        int *const from = array(rank + round), *const into = array(0), ended = 0, sum = 0;
        char said[8] = "";
        MPI_Request request;
        MPI_Isend(from, 1, type, right, 1, MPI_COMM_WORLD, &request);
        pid_t const child = fork();
        if (child == 0) {
            memset(from, 0, 2 * elements * sizeof *from); /* its own copy */
            _exit(7);
        }
        expect_true(child > 0 && waitpid(child, &ended, 0) == child && WIFEXITED(ended) && WEXITSTATUS(ended) == 7, "fork");
        ended = system("exit 3");
        expect_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 3, "system");
        FILE* const pipe = popen("echo here", "r");
        expect_true(pipe != NULL && fgets(said, sizeof said, pipe) != NULL && strcmp(said, "here\n") == 0, "popen");
        pclose(pipe);
        void* const library = dlopen("libgomp.so.1", RTLD_NOW);
        expect_true(library != NULL && dlsym(library, "omp_get_num_threads") != NULL, "dlopen");
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 1000; ++i) sum += i;
        expect_true(sum == 499500, "OpenMP");
        MPI_Recv(into, 1, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        expect(into, left + round, "after children");
        dlclose(library);
        free(from), free(into);
    }
}

/* What MPI forbids and programs do: a send that was received, and a receive that nothing matches. The memory stays. */
static void unfinished(void) {
    static MPI_Request going[2];
    int* const into = array(0);
    MPI_Irecv(array(0), 1, type, left, 99, MPI_COMM_WORLD, &going[0]);
    MPI_Isend(array(rank), 1, type, right, 1, MPI_COMM_WORLD, &going[1]);
    MPI_Recv(into, 1, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(into, left, "unfinished");
    free(into);
}

int main(int argc, char** argv) {
    struct {
        char const* name;
        void (*run)(void);
    } const all[] = {{"outstanding", outstanding},
                     {"flood", flood},
                     {"one-sided", one_sided},
                     {"children", children},
                     {"unfinished", unfinished}};
    int known = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Type_vector(elements, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int word = 1; word < argc; ++word)
        for (unsigned i = 0; i < sizeof all / sizeof *all; ++i)
            if (strcmp(all[i].name, argv[word]) == 0) all[i].run(), ++known;
    MPI_Type_free(&type);
    MPI_Finalize();
    return known == argc ? 0 : 2;
}
