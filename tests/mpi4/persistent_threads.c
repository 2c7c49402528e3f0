/* SPDX-License-Identifier: Apache-2.0 */
/* A program that has asked for MPI_THREAD_MULTIPLE: two threads of each rank make, start, wait for and free persistent collectives
   at the same time, each on a communicator of its own, and exchange messages in between. All of it is the MPI's then. A third
   thread asks for requests that it shares with nobody, by MPI_Test. */
#include <sode/mpi4.h>

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, LIVES = 20, STARTS = 15 };

static int rank, size;

struct work {
    MPI_Comm on;
    int number;
    int wrong;
};

static void* lives(void* argument) {
    struct work* const w = argument;
    int const next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int life = 0; life < LIVES; ++life) {
        int mine = 0, sum = 0, told = 0, got = -1;
        MPI_Request both[2];
        MPI_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, w->on, MPI_INFO_NULL, both);
        MPI_Bcast_init(&told, 1, MPI_INT, life % size, w->on, MPI_INFO_NULL, both + 1);
        for (int start = 0; start < STARTS; ++start) {
            int const value = 1000 * w->number + 10 * life + start;
            mine = value + rank;
            sum = -1;
            told = rank == life % size ? value : -1;
            MPI_Startall(2, both);
            MPI_Sendrecv(&value, 1, MPI_INT, next, w->number, &got, 1, MPI_INT, last, w->number, w->on, MPI_STATUS_IGNORE);
            if (w->number == THREADS - 1)
                for (int over = 0; !over;) MPI_Testall(2, both, &over, MPI_STATUSES_IGNORE);
            else
                MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
            w->wrong += sum != size * value + size * (size - 1) / 2;
            w->wrong += told != value;
            w->wrong += got != value;
        }
        MPI_Request_free(both);
        MPI_Request_free(both + 1);
    }
    return NULL;
}

int main(int argc, char** argv) {
    int provided = 0, level = -1, wrong = 0;
    pthread_t threads[THREADS];
    struct work all[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Query_thread(&level);
    if (provided != MPI_THREAD_MULTIPLE || level != provided) {
        printf("skipped: this MPI gives no MPI_THREAD_MULTIPLE\n");
        MPI_Finalize();
        return 77;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int t = 0; t < THREADS; ++t) {
        all[t] = (struct work){MPI_COMM_NULL, t, 0};
        MPI_Comm_dup(MPI_COMM_WORLD, &all[t].on);
    }
    for (int t = 0; t < THREADS; ++t) pthread_create(threads + t, NULL, lives, all + t);
    for (int t = 0; t < THREADS; ++t) pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; ++t) {
        wrong += all[t].wrong;
        MPI_Comm_free(&all[t].on);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0) printf("%d wrong\n", wrong);
    return wrong != 0;
}
