/* SPDX-License-Identifier: Apache-2.0 */
/* The Himeno benchmark's loop nest in three dimensions on devices, against what it gives without directives. */
#include <stdio.h>
#include <xmp.h>
#define MI 33
#define MJ 17
#define MK 40
/* What the same loops give without directives. */
#ifndef GOSA
#define GOSA 0.0014855168691126634
#endif
#pragma xmp nodes n[*][*]
#pragma xmp template t[MI][MJ][MK]
#pragma xmp distribute t[block][block][*] onto n
double p[MI][MJ][MK], wrk[MI][MJ][MK], bnd[MI][MJ][MK], wk1[MI][MJ][MK], a[4][MI][MJ][MK], b[3][MI][MJ][MK], c[3][MI][MJ][MK];
#pragma xmp align p[i][j][k] with t[i][j][k]
#pragma xmp align wrk[i][j][k] with t[i][j][k]
#pragma xmp align bnd[i][j][k] with t[i][j][k]
#pragma xmp align wk1[i][j][k] with t[i][j][k]
#pragma xmp align a[*][i][j][k] with t[i][j][k]
#pragma xmp align b[*][i][j][k] with t[i][j][k]
#pragma xmp align c[*][i][j][k] with t[i][j][k]
#pragma xmp shadow p[1][1][0]
double omega = 0.8;
double jacobi(int nn) {
    double gosa = 0;
#pragma xmp reflect_init(p) width(1, 1, 0) acc
    for (int n = 0; n < nn; n++) {
        gosa = 0;
#pragma xmp loop(i, j) on t[i][j][*] reduction(+ : gosa)
#pragma acc parallel loop collapse(3) reduction(+ : gosa)
        for (int i = 1; i < MI - 1; i++)
            for (int j = 1; j < MJ - 1; j++)
                for (int k = 1; k < MK - 1; k++) {
                    double s0 =
                        a[0][i][j][k] * p[i + 1][j][k] + a[1][i][j][k] * p[i][j + 1][k] + a[2][i][j][k] * p[i][j][k + 1] +
                        b[0][i][j][k] * (p[i + 1][j + 1][k] - p[i + 1][j - 1][k] - p[i - 1][j + 1][k] + p[i - 1][j - 1][k]) +
                        b[1][i][j][k] * (p[i][j + 1][k + 1] - p[i][j - 1][k + 1] - p[i][j + 1][k - 1] + p[i][j - 1][k - 1]) +
                        b[2][i][j][k] * (p[i + 1][j][k + 1] - p[i - 1][j][k + 1] - p[i + 1][j][k - 1] + p[i - 1][j][k - 1]) +
                        c[0][i][j][k] * p[i - 1][j][k] + c[1][i][j][k] * p[i][j - 1][k] + c[2][i][j][k] * p[i][j][k - 1] +
                        wrk[i][j][k];
                    double ss = (s0 * a[3][i][j][k] - p[i][j][k]) * bnd[i][j][k];
                    gosa += ss * ss;
                    wk1[i][j][k] = p[i][j][k] + omega * ss;
                }
#pragma acc kernels loop
#pragma xmp loop(i, j) on t[i][j][*]
        for (int i = 1; i < MI - 1; i++)
            for (int j = 1; j < MJ - 1; j++)
                for (int k = 1; k < MK - 1; k++) p[i][j][k] = wk1[i][j][k];
#pragma xmp reflect_do(p) acc
    }
    return gosa;
}

int main(void) {
#pragma xmp loop(i, j) on t[i][j][*]
    for (int i = 0; i < MI; i++)
        for (int j = 0; j < MJ; j++)
            for (int k = 0; k < MK; k++) {
                p[i][j][k] = (double)(i * i) / ((MI - 1) * (MI - 1));
                wrk[i][j][k] = 0;
                bnd[i][j][k] = 1;
                wk1[i][j][k] = 0;
                for (int m = 0; m < 3; m++) {
                    a[m][i][j][k] = 1;
                    b[m][i][j][k] = 0;
                    c[m][i][j][k] = 1;
                }
                a[3][i][j][k] = 1. / 6;
            }
#pragma xmp reflect(p)
    double gosa = 0;
#pragma acc data copy(p) copyin(wrk, bnd, a, b, c) create(wk1)
    { gosa = jacobi(6); }
    double const error = (gosa - GOSA) / GOSA;
    if (error < -1e-9 || error > 1e-9) {
        printf("node %d: gosa is %.17g, not %.17g\n", xmp_node_num(), gosa, GOSA);
        return 1;
    }
    return 0;
}
