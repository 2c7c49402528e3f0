/* SPDX-License-Identifier: Apache-2.0 */
/* MPI beside directives: communicators of all nodes, of tasks and of tasks in tasks. */
#include <mpi.h>
#include <stdio.h>
#include <xmp.h>

enum { N = 24 };

#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]

static int failures;

static void expect(int holds, char const* what) {
    if (!holds) printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
    failures += !holds;
}

/* The executing nodes are the ranks of their communicator, in their order. */
static void compare(char const* what) {
    int rank = -1, size = 0, sum = 0, one = 1;
    MPI_Comm const nodes = xmp_get_mpi_comm();
    MPI_Comm_rank(nodes, &rank);
    MPI_Comm_size(nodes, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, nodes);
    expect(rank == xmpc_node_num() && size == xmp_num_nodes() && sum == size, what);
}

int main(int argc, char** argv) {
    xmp_init_mpi(&argc, &argv);
    int const n = xmp_all_num_nodes();
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    expect(rank == xmpc_all_node_num(), "node k is rank k");
    for (int round = 0; round < 2; round++) {
        compare("all nodes");
#pragma xmp task on p[n / 2 : n - n / 2]
        {
            compare("a part of them");
#pragma xmp nodes inner[*] = *
#pragma xmp task on inner[0]
            compare("one of them");
        }
        /* Messages of both meet nowhere. */
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] = i + round;
#pragma xmp reflect(a)
        MPI_Barrier(xmp_get_mpi_comm());
        int wrong = 0;
#pragma xmp loop on t[i] reduction(+ : wrong)
        for (int i = 1; i < N - 1; i++) wrong += a[i - 1] + a[i + 1] != 2 * (i + round);
        expect(wrong == 0, "a halo between calls of MPI");
    }
#pragma xmp reduction(+ : failures)
    xmp_finalize_mpi();
    return failures != 0;
}
