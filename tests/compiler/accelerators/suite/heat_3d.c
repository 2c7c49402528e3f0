/* SPDX-License-Identifier: Apache-2.0 */
/* Heat in three dimensions over nodes in one, two and three; halos by reflect_init and reflect_do. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define NX 12
#define NY 10
#define NZ 14
#pragma xmp nodes all[*]
#pragma xmp template t[NX][NY][NZ]
#pragma xmp template s[NX][NY][NZ]
#pragma xmp distribute t[block][*][*] onto all
#pragma xmp distribute s[*][*][block] onto all
double a[NX][NY][NZ], b[NX][NY][NZ], c[NX][NY][NZ], d[NX][NY][NZ];
#pragma xmp align[i][j][k] with t[i][j][k] ::a, b
#pragma xmp align[i][j][k] with s[i][j][k] ::c, d
#pragma xmp shadow a[1][0][0]
#pragma xmp shadow b[1][0][0]
#pragma xmp shadow c[0][0][1]
#pragma xmp shadow d[0][0][1]
static double x[2][NX][NY][NZ];
static double first(int i, int j, int k) {
    return (i * 7 + j * 5 + k * 3) % 11;
}
int main(void) {
    int wrong = 0;
#pragma xmp loop(i, j, k) on t[i][j][k]
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            for (int k = 0; k < NZ; k++) a[i][j][k] = b[i][j][k] = first(i, j, k);
#pragma xmp loop on s[i][j][k]
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            for (int k = 0; k < NZ; k++) c[i][j][k] = d[i][j][k] = first(i, j, k);
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            for (int k = 0; k < NZ; k++) x[0][i][j][k] = x[1][i][j][k] = first(i, j, k);
    for (int n = 0; n < 6; n++)
        for (int i = 1; i < NX - 1; i++)
            for (int j = 1; j < NY - 1; j++)
                for (int k = 1; k < NZ - 1; k++) {
                    double(*f)[NY][NZ] = x[n % 2], (*g)[NY][NZ] = x[1 - n % 2];
                    g[i][j][k] = f[i][j][k] + 0.125 * (f[i - 1][j][k] + f[i + 1][j][k] + f[i][j - 1][k] + f[i][j + 1][k] +
                                                       f[i][j][k - 1] + f[i][j][k + 1] - 6 * f[i][j][k]);
                }
#pragma acc enter data copyin(a, b)
#pragma acc enter data copyin(c [0:NX] [0:NY] [0:NZ], d)
#pragma xmp reflect_init(a, b) acc
#pragma xmp reflect_init(c) width(0, 0, 1) acc
#pragma xmp reflect_init(d) width(0, 0, 1) acc
    for (int n = 0; n < 6; n += 2) {
#pragma xmp reflect_do(a) acc
#pragma xmp reflect_do(c) acc
#pragma xmp loop(i, j, k) on t[i][j][k]
#pragma acc parallel loop gang vector collapse(3) vector_length(32) present(a, b)
        for (int i = 1; i < NX - 1; i++)
            for (int j = 1; j < NY - 1; j++)
                for (int k = 1; k < NZ - 1; k++)
                    b[i][j][k] = a[i][j][k] + 0.125 * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] +
                                                       a[i][j][k - 1] + a[i][j][k + 1] - 6 * a[i][j][k]);
#pragma acc parallel present(c, d)
        {
#pragma acc loop gang
            for (int i = 1; i < NX - 1; i++) {
#pragma acc loop worker
                for (int j = 1; j < NY - 1; j++) {
#pragma xmp loop on s[*][*][k]
#pragma acc loop vector
                    for (int k = 1; k < NZ - 1; k++)
                        d[i][j][k] = c[i][j][k] + 0.125 * (c[i - 1][j][k] + c[i + 1][j][k] + c[i][j - 1][k] + c[i][j + 1][k] +
                                                           c[i][j][k - 1] + c[i][j][k + 1] - 6 * c[i][j][k]);
                }
            }
        }
#pragma xmp reflect_do(b) acc
#pragma xmp reflect_do(d) acc
#pragma acc kernels loop independent collapse(3) present(a, b)
#pragma xmp loop(i, j, k) on t[i][j][k]
        for (int i = 1; i < NX - 1; i++)
            for (int j = 1; j < NY - 1; j++)
                for (int k = 1; k < NZ - 1; k++)
                    a[i][j][k] = b[i][j][k] + 0.125 * (b[i - 1][j][k] + b[i + 1][j][k] + b[i][j - 1][k] + b[i][j + 1][k] +
                                                       b[i][j][k - 1] + b[i][j][k + 1] - 6 * b[i][j][k]);
#pragma xmp loop(i, j, k) on s[i][j][k]
#pragma acc parallel loop present(c, d)
        for (int i = 1; i < NX - 1; i++)
            for (int j = 1; j < NY - 1; j++)
                for (int k = 1; k < NZ - 1; k++)
                    c[i][j][k] = d[i][j][k] + 0.125 * (d[i - 1][j][k] + d[i + 1][j][k] + d[i][j - 1][k] + d[i][j + 1][k] +
                                                       d[i][j][k - 1] + d[i][j][k + 1] - 6 * d[i][j][k]);
    }
#pragma acc exit data copyout(a, c) delete (b, d)
#pragma xmp loop(i, j, k) on t[i][j][k] reduction(+ : wrong)
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            for (int k = 0; k < NZ; k++) wrong += a[i][j][k] != x[0][i][j][k];
    int w2 = 0;
#pragma xmp loop(i, j, k) on s[i][j][k] reduction(+ : w2)
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            for (int k = 0; k < NZ; k++) w2 += c[i][j][k] != x[0][i][j][k];
    if (wrong + w2) printf("%d %d wrong\n", wrong, w2);
    return wrong + w2 != 0;
}
