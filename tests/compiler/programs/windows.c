/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that reach into halos, loops over the rim, and both in one while halos travel. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>

#define N 20
#define M 18
#pragma xmp nodes g[*][*], line(*)
#pragma xmp template t[N][M]
#pragma xmp template r(0 : M - 1, 0 : N - 1)
#pragma xmp distribute t[block][block] onto g
#pragma xmp distribute r(*, block) onto line
static double u[N][M], w[N][M], serial[N][M], next[N][M];
static int times[N][M], rows[N][M];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align w[i][j] with t[i][j]
#pragma xmp align times[i][j] with t[i][j]
#pragma xmp align rows[i][j] with r(j, i)
#pragma xmp shadow u[1][1]
#pragma xmp shadow times[1 : 2][1]
#pragma xmp shadow rows[1][0]

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
        failures++;
    }
}

static void clear(void) {
#pragma xmp loop(i, j) on t[i][j] expand(/ unbound / 1 : 2, / unbound / 1)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) times[i][j] = 0;
}

static int counted(void) {
    int sum = 0;
#pragma xmp loop(i, j) on t[i][j] reduction(+ : sum)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) sum += times[i][j] == 1;
    return sum;
}

int main(void) {
    /* One step of Jacobi after another: the middle while halos travel, then the rim. */
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) u[i][j] = w[i][j] = i * j % 7;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) serial[i][j] = next[i][j] = i * j % 7;
    double sum = 0, wanted = 0;
    for (int step = 0; step < 10; step++) {
        double change = 3;
#pragma xmp reflect(u) orthogonal async(10)
#pragma xmp loop(i, j) on t[i][j] peel_and_wait(10, -1, -1) reduction(+ : change)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) {
                w[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                change += fabs(w[i][j] - u[i][j]);
            }
        sum += change;
#pragma xmp loop(i, j) on t[i][j]
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) u[i][j] = w[i][j];
        wanted += 3;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) {
                next[i][j] = 0.25 * (serial[i - 1][j] + serial[i + 1][j] + serial[i][j - 1] + serial[i][j + 1]);
                wanted += fabs(next[i][j] - serial[i][j]);
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) serial[i][j] = next[i][j];
    }
    expect(fabs(sum - wanted) < 1e-9 * wanted, "peel_and_wait");

    /* Each iteration once: the middle and the rim, also where blocks are thin. */
    clear();
#pragma xmp loop(i, j) on t[i][j] expand(-2, -1)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) times[i][j]++;
    int const inside = counted();
#pragma xmp loop(i, j) on t[i][j] margin(-2, -1)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) times[i][j]++;
    expect(inside < N * M && counted() == N * M, "expand and margin");
    clear();
    int around = 0;
#pragma xmp loop(i, j) on t[i][j] margin(-4 : -3, -20)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            times[i][j]++;
            around++;
        }
    expect(counted() == N * M, "a rim that is everything");

    /* Into the halo. */
    clear();
#pragma xmp loop(i, j) on t[i][j] expand(1, 1)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) times[i][j]++;
    int mine = 0, more = 0, ring = 0;
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) mine++;
#pragma xmp loop(i, j) on t[i][j] expand(1, 1)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) more += times[i][j];
#pragma xmp loop(i, j) on t[i][j] margin(1, 1)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) ring += times[i][j];
    expect(more == mine + ring && counted() == N * M, "expand into the halo");
    int all = 0;
#pragma xmp loop(i, j) on t[i][j] expand(/ unbound / 1, / unbound / 1)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) all++;
    expect(mine == 0 || all > more || xmp_num_nodes() > 4, "expand beyond the ends");

    /* In round brackets the widths follow them; what is not split has no rim. */
    int inner = 0, outer = 0, total = 0;
#pragma xmp loop(i, j) on r(j, i) expand(0, -1)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) inner++;
#pragma xmp loop(i, j) on r(j, i) margin(0, -1)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) outer++;
#pragma xmp loop(i, j) on r(j, i)
    for (int i = N - 1; i >= 0; i--)
        for (int j = 0; j < M; j++) total++;
    expect(inner + outer == total && (total == 0 || outer > 0), "one dimension");
    int down = 0;
#pragma xmp loop(i, j) on r(j, i) expand(0, -1)
    for (int i = N - 1; i >= 0; i--)
        for (int j = 0; j < M; j++) down++;
    expect(down == inner, "a loop that goes down");
    return failures != 0;
}
