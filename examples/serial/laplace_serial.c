/* SPDX-License-Identifier: Apache-2.0 */
/* examples/laplace.cpp without Sode: the same steps by the same arithmetic, hence the same residual.

       laplace_serial -n 1024 -s 1000 */
#include "serial/support.h"
#include "stencil/plain_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double at_first(long n, long i, long j) {
    if (i == 0) return 1.0;
    if (i == n - 1 || j == 0 || j == n - 1) return 0.0;
    double const y = 2.0 * (double)i / (double)(n - 1) - 1.0;
    double const x = 2.0 * (double)j / (double)(n - 1) - 1.0;
    double const r = sqrt(x * x + y * y);
    return 0.5 * exp(-3.0 * r * r) * (1.0 + cos(31.4 * r));
}

int main(int argc, char** argv) {
    long n = 1024, steps = 1000;
    for (int i = 1; i < argc; i += 2) {
        char const* const value = value_of(argc, argv, i);
        if (strcmp(argv[i], "-n") == 0)
            n = number(value, 1);
        else if (strcmp(argv[i], "-s") == 0)
            steps = number(value, 0);
        else
            fail("no option of this program", argv[i]);
    }
    enum { stagger = 40 }; /* keeps the two arrays off each other's cache sets */
    double* const memory = allocate(2 * (n * n + stagger), sizeof(double));
    double* u[2] = {memory, memory + n * n + stagger};
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < n; ++j) u[0][i * n + j] = u[1][i * n + j] = at_first(n, i, j);

    double const begin = seconds();
    for (long t = 0; t < steps; ++t) plain_laplace(n, 1, n - 1, u[t % 2], u[1 - t % 2]);
    double const each = steps > 0 ? (seconds() - begin) / (double)steps : 0;

    double residual = 0;
    for (long k = 0; k < n * n; ++k) {
        double const change = fabs(u[0][k] - u[1][k]);
        if (change > residual) residual = change;
    }
    printf("residual %.6e\n%.3f ms a step\n", residual, 1e3 * each);
    free(memory);
    return 0;
}
