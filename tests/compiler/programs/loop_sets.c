/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes a loop is for: a loop on one row of nodes inside another loop, a constant in `on`, several nodes for an iteration, and
 * iterations whose nodes are no simple function of the index. */
#include <stdio.h>
#include <xmp.h>

enum { N = 12, M = 8 };

static int failures;

static void expect(int holds, char const* what) {
    if (!holds) printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
    failures += !holds;
}

static int rows(void) {
    return xmp_all_num_nodes() % 2 == 0 ? 2 : 1;
}
static int columns(void) {
    return xmp_all_num_nodes() / rows();
}

#pragma xmp nodes p[*]
#pragma xmp nodes g[rows()][columns()]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][block] onto g
#pragma xmp template line[N]
#pragma xmp distribute line[cyclic(2)] onto p
double a[N][M], w[N], v[M];
int times[N];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align w[i] with t[i][*]
#pragma xmp align v[j] with t[*][j]
#pragma xmp align times[i] with line[i]

/* The inner loop's reduction is among the nodes that have row i. */
static void matrix_times_vector(void) {
#pragma xmp loop (j) on t[*][j]
    for (int j = 0; j < M; j++) v[j] = j + 1;
#pragma xmp loop (i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) a[i][j] = 10 * i + j;
#pragma xmp loop (i) on t[i][:]
    for (int i = 0; i < N; i++) {
        double sum = 0;
#pragma xmp loop (j) on t[i][j] reduction(+ : sum)
        for (int j = 0; j < M; j++) sum += a[i][j] * v[j];
        w[i] = sum;
    }
    int wrong = 0;
#pragma xmp loop (i) on t[i][*]
    for (int i = 0; i < N; i++) {
        double want = 0;
        for (int j = 0; j < M; j++) want += (10 * i + j) * (j + 1.0);
        wrong += w[i] != want;
    }
    expect(wrong == 0, "matrix times vector, a reduction for each row");
}

/* Nodes without row 5 take no part. */
static void constant(void) {
    double sum = -1;
    int has = 0;
#pragma xmp task on t[5][:] nocomm
    has = 1;
    sum = has ? 0 : -1;
#pragma xmp loop (j) on t[5][j] reduction(+ : sum)
    for (int j = 0; j < M; j++) sum += a[5][j];
    expect(sum == (has ? 50 * M + M * (M - 1) / 2 : -1), "a loop on a constant row");
}

static int executing(void) {
    int one = 1;
#pragma xmp reduction(+ : one)
    return one;
}

/* Iteration i is executed by row i of the nodes, and they are the executing ones. */
static void grid_rows(void) {
    int count = 0, met = 0;
#pragma xmp loop (i) on g[i][:]
    for (int i = 0; i < rows(); i++) {
        count = executing();
        met++;
    }
    expect(met == 1 && count == xmp_num_nodes() / rows(), "an iteration for each row of nodes");
#pragma xmp loop (i) on line[i]
    for (int i = 0; i < N; i++) times[i] = xmp_num_nodes();
    int wrong = 0;
#pragma xmp loop (i) on line[i]
    for (int i = 0; i < N; i++) wrong += times[i] != xmp_num_nodes();
    expect(wrong == 0, "one node for an iteration leaves the executing nodes as they are");
}

/* Each iteration on a range of nodes. */
static void ranges(void) {
    int const n = xmp_num_nodes(), half = (n + 1) / 2;
    int const from[2] = {0, half}, count[2] = {half, n - half};
    int mine = -1, nodes = 0;
#pragma xmp loop (i) on p[from[i]:count[i]]
    for (int i = 0; i < (n > 1 ? 2 : 1); i++) {
        mine = i;
        nodes = executing();
    }
    int const want = xmpc_node_num() < half ? 0 : 1;
    expect(mine == want && nodes == count[want], "iterations on ranges of nodes");
}

/* Twice the index, the index backwards, the diagonal. */
static void other_functions(void) {
    int wrong = 0, sum = 0, diagonal = 0;
#pragma xmp loop (i) on line[i]
    for (int i = 0; i < N; i++) times[i] = 0;
#pragma xmp loop (i) on line[2 * i] reduction(+ : sum)
    for (int i = 0; i < N / 2; i++) {
        times[2 * i] += 1;
        sum += i;
    }
#pragma xmp loop (i) on line[N - 1 - i]
    for (int i = 0; i < N; i++) times[N - 1 - i] += 10;
#pragma xmp loop (i) on line[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += times[i] != (i % 2 == 0 ? 11 : 10);
    expect(wrong == 0 && sum == N / 2 * (N / 2 - 1) / 2, "twice the index, and backwards");
#pragma xmp loop (i) on t[i][i] reduction(+ : diagonal)
    for (int i = 0; i < M; i++) diagonal += a[i][i] == 11 * i;
    expect(diagonal == M, "a diagonal");
}

/* `*` and `**` are nodes, too. */
static void stars(void) {
    int const n = xmp_all_num_nodes();
    int all = 1, some = 1;
#pragma xmp task on p[0:(n + 1) / 2]
    {
#pragma xmp reduction(+ : some) on *
#pragma xmp barrier on *
#pragma xmp task on *
        expect(xmp_num_nodes() == (n + 1) / 2 && some == xmp_num_nodes(), "the executing nodes");
    }
#pragma xmp reduction(+ : all) on **
#pragma xmp task on **
    expect(all == n && xmp_num_nodes() == n, "all nodes");
}

int main(void) {
    matrix_times_vector();
    constant();
    grid_rows();
    ranges();
    other_functions();
    stars();
#pragma xmp reduction(+ : failures)
    return failures != 0;
}
