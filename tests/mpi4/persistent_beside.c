/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent collectives of MPICH's own, of a library that knows nothing of libsode-mpi4, beside ours that come and go: in
   MPICH 4.0 they never end where they get the place of a persistent send to MPI_PROC_NULL that was freed. */
#define _GNU_SOURCE
#include <sode/mpi4.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void* mpich(char const* name) {
    void* const library = dlopen("libmpich.so.12", RTLD_LAZY | RTLD_NOLOAD);
    void* const function = library == NULL ? NULL : dlsym(library, name);
    if (function == NULL) exit(77);
    return function;
}

int main(int argc, char** argv) {
    int mine = 1, sum, size, wrong = 0;
    int (*init)(void const*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*);
    int (*start)(MPI_Request*);
    int (*wait)(MPI_Request*, MPI_Status*);
    *(void**)&init = mpich("PMPI_Allreduce_init");
    *(void**)&start = mpich("PMPI_Start");
    *(void**)&wait = mpich("PMPI_Wait");
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    alarm(60);
    for (int round = 0; round < 50; ++round) {
        MPI_Request ours[3], theirs, nonblocking;
        int const n = 1 + round % 3;
        for (int i = 0; i < n; ++i) {
            MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &ours[i]);
            MPI_Start(&ours[i]);
            MPI_Wait(&ours[i], MPI_STATUS_IGNORE);
        }
        init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &theirs);
        for (int again = 0; again < 3; ++again) {
            sum = 0;
            start(&theirs);
            wait(&theirs, MPI_STATUS_IGNORE);
            wrong += sum != size;
        }
        MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &nonblocking);
        MPI_Wait(&nonblocking, MPI_STATUS_IGNORE);
        for (int i = 0; i < n; ++i) MPI_Request_free(&ours[i]);
        MPI_Request_free(&theirs);
    }
    MPI_Finalize();
    if (wrong != 0) printf("%d wrong\n", wrong);
    return wrong != 0;
}
