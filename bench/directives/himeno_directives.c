/* SPDX-License-Identifier: Apache-2.0 */
/* Himeno by directives, rows of planes shared by the nodes. Prints milliseconds of an iteration and gosa. */
#include "himeno.h"
#include <stdio.h>
#include <xmp.h>

#pragma xmp nodes n[NODES]
#pragma xmp template t[MI]
#pragma xmp distribute t[block] onto n
float p[MI][MJ][MK], wrk[MI][MJ][MK], bnd[MI][MJ][MK], wk1[MI][MJ][MK], a[4][MI][MJ][MK], b[3][MI][MJ][MK], c[3][MI][MJ][MK];
#pragma xmp align[i][*][*] with t[i] ::p, wrk, bnd, wk1
#pragma xmp align[*][i][*][*] with t[i] ::a, b, c
#pragma xmp shadow p[1][0][0]

static float jacobi(void) {
    float gosa = 0;
#pragma xmp loop(i) on t[i] reduction(+ : gosa)
    for (int i = 1; i < MI - 1; i++)
        for (int j = 1; j < MJ - 1; j++)
            for (int k = 1; k < MK - 1; k++) {
                POINT;
            }
#pragma xmp loop(i) on t[i]
    for (int i = 1; i < MI - 1; i++)
        for (int j = 1; j < MJ - 1; j++)
            for (int k = 1; k < MK - 1; k++) p[i][j][k] = wk1[i][j][k];
#pragma xmp reflect_do(p)
    return gosa;
}

int main(void) {
    double best = 1e30;
    float gosa = 0;
#pragma xmp loop(I) on t[I]
    for (int I = 0; I < MI; I++)
        for (int j = 0; j < MJ; j++)
            for (int k = 0; k < MK; k++) START(I);
#pragma xmp reflect_init(p)
#pragma xmp reflect_do(p)
    for (int m = 0; m < 40; m++) {
#pragma xmp barrier
        double const begin = xmp_wtime();
        for (int n = 0; n < 3; n++) gosa = jacobi();
        double const took = (xmp_wtime() - begin) / 3;
        best = took < best ? took : best;
    }
    if (xmp_node_num() == 1) printf("%.4f %.6g\n", best * 1e3, gosa);
    return 0;
}
