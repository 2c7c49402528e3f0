/* SPDX-License-Identifier: Apache-2.0 */
/* Laplace in two dimensions, against the same loops on arrays of each node. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

#define N 40
#define M 56
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
double u[N][M], v[N][M];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align v[i][j] with t[i][j]
#pragma xmp shadow u[1][0]

static double a[N][M], b[N][M];

int main(void) {
    int i, j;
#pragma xmp loop(i, j) on t[i][j]
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) u[i][j] = v[i][j] = sin(i * 0.3) + cos(j * 0.2);
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) a[i][j] = b[i][j] = sin(i * 0.3) + cos(j * 0.2);
    for (int step = 0; step < 20; step++) {
#pragma xmp reflect(u)
#pragma xmp loop(i, j) on t[i][j]
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < M - 1; j++) v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma xmp loop on t[i][*]
        for (int i = N - 2; i >= 1; --i)
            for (j = 1; j < M - 1; j++) u[i][j] = v[i][j];
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < M - 1; j++) b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < M - 1; j++) a[i][j] = b[i][j];
    }
    double sum = 0, wanted = 0;
    int wrong = 0;
#pragma xmp loop(i, j) on t[i][j] reduction(+ : sum, wrong)
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) {
            sum += u[i][j];
            wrong += u[i][j] != a[i][j];
        }
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) wanted += a[i][j];
    if (wrong != 0 || fabs(sum - wanted) > 1e-9) {
        printf("node %d of %d: %d wrong, %.17g for %.17g\n", xmp_node_num(), xmp_num_nodes(), wrong, sum, wanted);
        return 1;
    }
    return 0;
}
