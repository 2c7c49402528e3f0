/* SPDX-License-Identifier: Apache-2.0 */
/* One loop nest: with directives, or for a compiler that ignores them. Prints nanoseconds of a pass, and a sum of what it computed.
 * FORMAT: how rows are distributed, with INNER columns. CYCLIC: a loop whose rows, or columns, are not neighbours in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 512, M = 512 };

int widths[1] = {N};
#pragma xmp nodes p[1]
#pragma xmp template t[N][M]
#if defined(INNER)
#pragma xmp distribute t[*][FORMAT] onto p
#else
#pragma xmp distribute t[FORMAT][*] onto p
#endif
double u[N][M], v[N][M];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align v[i][j] with t[i][j]
#if !defined(CYCLIC)
#pragma xmp shadow u[1][0]
#endif

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void pass(void) {
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++)
#if defined(INNER)
            v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j]) + 0.5 * u[i][j];
#elif defined(CYCLIC)
            v[i][j] = 0.25 * (u[i][j - 1] + u[i][j + 1]) + 0.5 * u[i][j];
#else
            v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#endif
}

int main(void) {
    double best = 1e30, sum = 0;
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) u[i][j] = i * 0.01 + j % 7;
    for (int k = 0; k < 40; k++) {
        double const begin = now();
        for (int n = 0; n < 5; n++) {
            pass();
            __asm__ volatile("" ::: "memory");
        }
        double const took = (now() - begin) / 5;
        best = took < best ? took : best;
    }
#pragma xmp loop(i, j) on t[i][j] reduction(+ : sum)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) sum += v[i][j];
    printf("%.0f %.17g\n", best, sum);
    return 0;
}
