/* SPDX-License-Identifier: Apache-2.0 */
/* Laplace as the specification has it: round brackets, collapse, both orders of the pragmas, a reduction beside acc's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define XSIZE 34
#define YSIZE 26
#define ITER 40
double u[XSIZE][YSIZE], uu[XSIZE][YSIZE];
#pragma xmp nodes q(*)
#pragma xmp template t(0 : YSIZE - 1, 0 : XSIZE - 1)
#pragma xmp distribute t(*, block) onto q
#pragma xmp align[i][j] with t(j, i)::u, uu
#pragma xmp shadow uu[1 : 1][0 : 0]
static double su[XSIZE][YSIZE], suu[XSIZE][YSIZE];
int main(void) {
    int x, y, k;
    double value = 0.0, expected = 0.0, worst = 0.0;
#pragma xmp loop(y, x) on t(y, x)
    for (x = 0; x < XSIZE; x++)
        for (y = 0; y < YSIZE; y++) u[x][y] = uu[x][y] = x == 0 || y == 0 ? 1.0 : sin(x * 0.3) + cos(y * 0.7);
    for (x = 0; x < XSIZE; x++)
        for (y = 0; y < YSIZE; y++) su[x][y] = suu[x][y] = x == 0 || y == 0 ? 1.0 : sin(x * 0.3) + cos(y * 0.7);
#pragma acc data copy(u) copyin(uu)
    {
        for (k = 0; k < ITER; k++) {
#pragma xmp loop(y, x) on t(y, x)
#pragma acc parallel loop collapse(2)
            for (x = 1; x < XSIZE - 1; x++)
                for (y = 1; y < YSIZE - 1; y++) uu[x][y] = u[x][y];
#pragma xmp reflect(uu) acc
#pragma acc parallel loop collapse(2)
#pragma xmp loop(y, x) on t(y, x)
            for (x = 1; x < XSIZE - 1; x++)
                for (y = 1; y < YSIZE - 1; y++) u[x][y] = (uu[x - 1][y] + uu[x + 1][y] + uu[x][y - 1] + uu[x][y + 1]) / 4.0;
        }
#pragma xmp loop(y, x) on t(y, x) reduction(+ : value) acc
#pragma acc parallel loop collapse(2) reduction(+ : value)
        for (x = 1; x < XSIZE - 1; x++)
            for (y = 1; y < YSIZE - 1; y++) value += fabs(uu[x][y] - u[x][y]);
    }
    for (k = 0; k < ITER; k++) {
        for (x = 1; x < XSIZE - 1; x++)
            for (y = 1; y < YSIZE - 1; y++) suu[x][y] = su[x][y];
        for (x = 1; x < XSIZE - 1; x++)
            for (y = 1; y < YSIZE - 1; y++) su[x][y] = (suu[x - 1][y] + suu[x + 1][y] + suu[x][y - 1] + suu[x][y + 1]) / 4.0;
    }
    for (x = 1; x < XSIZE - 1; x++)
        for (y = 1; y < YSIZE - 1; y++) expected += fabs(suu[x][y] - su[x][y]);
#pragma xmp loop(y, x) on t(y, x) reduction(max : worst)
    for (x = 0; x < XSIZE; x++)
        for (y = 0; y < YSIZE; y++)
            if (fabs(u[x][y] - su[x][y]) > worst) worst = fabs(u[x][y] - su[x][y]);
    if (worst != 0.0 || fabs(value - expected) > 1e-12 * expected) {
        printf("wrong: %g, %.17g instead of %.17g\n", worst, value, expected);
        return 1;
    }
    return 0;
}
