/* SPDX-License-Identifier: Apache-2.0 */
/* Halos of 8192 x 8192 numbers over ROWS x COLUMNS nodes, by `reflect_do`. Prints nanoseconds of an exchange, with the
 * edges written before it, and a sum of what it brought. */
#include <stdio.h>
#include <xmp.h>
#define N 8192

#pragma xmp nodes n[ROWS][COLUMNS]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][block] onto n
static double u[N][N];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp shadow u[1][1]

static int lower[2] = {N, N}, upper[2] = {-1, -1}; /* own part */

/* As the step of a solver does: what neighbours have in their caches is old. */
static void write_edges(void) {
    for (int j = lower[1]; j <= upper[1]; j++) u[lower[0]][j] += 1, u[upper[0]][j] += 1;
    for (int i = lower[0]; i <= upper[0]; i++) u[i][lower[1]] += 1, u[i][upper[1]] += 1;
}

int main(void) {
    double best = 1e30, sum = 0;
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            u[i][j] = i % 7 + j % 11;
            if (i < lower[0]) lower[0] = i;
            if (j < lower[1]) lower[1] = j;
            if (i > upper[0]) upper[0] = i;
            if (j > upper[1]) upper[1] = j;
        }
#pragma xmp reflect_init(u) orthogonal
#pragma xmp reflect_do(u)
    for (int m = 0; m < 60; m++) {
#pragma xmp barrier
        double const begin = xmp_wtime();
        for (int k = 0; k < 20; k++) {
            write_edges();
#pragma xmp reflect_do(u)
        }
        double const took = (xmp_wtime() - begin) / 20;
        best = took < best ? took : best;
    }
#pragma xmp loop(i, j) on t[i][j] reduction(+ : sum)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) sum += u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
#pragma xmp reduction(max : best)
    if (xmp_node_num() == 1) printf("%.1f %.10g\n", best * 1e9, sum);
    return 0;
}
