/* SPDX-License-Identifier: Apache-2.0 */
/* LU decomposition of a dense matrix with columns dealt out in blocks, so that all nodes have work to the end. The column that the
 * others are reduced by goes to all of them by gmove. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>

#ifndef SIZE
#define SIZE 200
#endif
#pragma xmp nodes p(*)
#pragma xmp template t(0 : SIZE - 1)
#pragma xmp distribute t(cyclic(8)) onto p
static double a[SIZE][SIZE], x[SIZE];
#pragma xmp align a[*][j] with t(j)

static double value(int i, int j) {
    return i == j ? SIZE : 1. / (1 + (i * 7 + j * 3) % 11);
}

int main(void) {
    double column[SIZE], b[SIZE];
    double const started = xmp_wtime();
#pragma xmp loop on t(j)
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++) a[i][j] = value(i, j);
    for (int i = 0; i < SIZE; i++) {
        b[i] = 0;
        for (int j = 0; j < SIZE; j++) b[i] += value(i, j) * (j % 4 + 1); /* whose solution is known */
    }
    for (int k = 0; k < SIZE; k++) {
#pragma xmp task on t(k) nocomm
        for (int i = k + 1; i < SIZE; i++) a[i][k] /= a[k][k];
#pragma xmp gmove
        column [k:SIZE - k] = a [k:SIZE - k][k];
#pragma xmp loop on t(j)
        for (int j = k + 1; j < SIZE; j++)
            for (int i = k + 1; i < SIZE; i++) a[i][j] -= column[i] * a[k][j];
        for (int i = k + 1; i < SIZE; i++) b[i] -= column[i] * b[k];
    }
    for (int k = SIZE - 1; k >= 0; k--) { /* back from below */
#pragma xmp gmove
        column [0:k + 1] = a [0:k + 1][k];
        x[k] = b[k] / column[k];
        for (int i = 0; i < k; i++) b[i] -= column[i] * x[k];
    }
    double error = 0;
    for (int i = 0; i < SIZE; i++) error = fmax(error, fabs(x[i] - (i % 4 + 1)));
    double const seconds = xmp_wtime() - started;
    int const good = error < 1e-9;
#pragma xmp task on p(1)
    printf("LU, %d x %d, %d nodes: %.2f s, error %.1e: %s\n", SIZE, SIZE, xmp_all_num_nodes(), seconds, error,
           good ? "verified" : "WRONG");
    return !good;
}
