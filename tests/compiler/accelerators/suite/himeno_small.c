/* SPDX-License-Identifier: Apache-2.0 */
/* Himeno: 3-D, members of several arrays, reflect_init width(1, 1, 0), reduction with acc. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define MI 17
#define MJ 17
#define MK 33
#pragma xmp nodes n[1][*]
#pragma xmp template t[MI][MJ][MK]
#pragma xmp distribute t[block][block][*] onto n
float p[MI][MJ][MK], a[4][MI][MJ][MK], b[3][MI][MJ][MK], wrk1[MI][MJ][MK], wrk2[MI][MJ][MK], bnd[MI][MJ][MK];
#pragma xmp align p[i][j][k] with t[i][j][k]
#pragma xmp align bnd[i][j][k] with t[i][j][k]
#pragma xmp align wrk1[i][j][k] with t[i][j][k]
#pragma xmp align wrk2[i][j][k] with t[i][j][k]
#pragma xmp align a[*][i][j][k] with t[i][j][k]
#pragma xmp align b[*][i][j][k] with t[i][j][k]
#pragma xmp shadow p[1][1][0]
static float sp[MI][MJ][MK], sw[MI][MJ][MK];
static float omega = 0.8f;
int main(void) {
    float gosa = 0, sgosa = 0;
    int i, j, k, loop, wrong = 0;
    float s0, ss;
#pragma xmp loop(k, j, i) on t[i][j][k]
    for (i = 0; i < MI; i++)
        for (j = 0; j < MJ; j++)
            for (k = 0; k < MK; k++) {
                a[0][i][j][k] = a[1][i][j][k] = a[2][i][j][k] = 1.0f;
                a[3][i][j][k] = 1.0f / 6.0f;
                b[0][i][j][k] = b[1][i][j][k] = b[2][i][j][k] = 0.0f;
                p[i][j][k] = (float)(i * i) / (float)((MI - 1) * (MI - 1)) + 0.01f * j;
                wrk1[i][j][k] = 0;
                bnd[i][j][k] = 1;
            }
    for (i = 0; i < MI; i++)
        for (j = 0; j < MJ; j++)
            for (k = 0; k < MK; k++) sp[i][j][k] = (float)(i * i) / (float)((MI - 1) * (MI - 1)) + 0.01f * j;
#pragma acc data copy(p) copyin(a, b, bnd, wrk1) create(wrk2)
    {
#pragma xmp reflect_init(p) width(1, 1, 0) acc
#pragma xmp reflect_do(p) acc
        for (loop = 0; loop < 4; loop++) {
            gosa = 0;
#pragma xmp loop(k, j, i) on t[i][j][k] reduction(+ : gosa)
#pragma acc parallel loop gang reduction(+ : gosa) private(s0, ss, j, k)
            for (i = 1; i < MI - 1; i++)
#pragma acc loop vector collapse(2) reduction(+ : gosa) private(s0, ss)
                for (j = 1; j < MJ - 1; j++)
                    for (k = 1; k < MK - 1; k++) {
                        s0 = a[0][i][j][k] * p[i + 1][j][k] + a[1][i][j][k] * p[i][j + 1][k] + a[2][i][j][k] * p[i][j][k + 1] +
                             b[0][i][j][k] * (p[i + 1][j + 1][k] - p[i + 1][j - 1][k] - p[i - 1][j + 1][k] + p[i - 1][j - 1][k]) +
                             p[i - 1][j][k] + p[i][j - 1][k] + p[i][j][k - 1] + wrk1[i][j][k];
                        ss = (s0 * a[3][i][j][k] - p[i][j][k]) * bnd[i][j][k];
                        gosa += ss * ss;
                        wrk2[i][j][k] = p[i][j][k] + omega * ss;
                    }
#pragma xmp loop(k, j, i) on t[i][j][k]
#pragma acc parallel loop collapse(3)
            for (i = 1; i < MI - 1; i++)
                for (j = 1; j < MJ - 1; j++)
                    for (k = 1; k < MK - 1; k++) p[i][j][k] = wrk2[i][j][k];
#pragma xmp reflect_do(p) acc
        }
    }
    for (loop = 0; loop < 4; loop++) {
        sgosa = 0;
        for (i = 1; i < MI - 1; i++)
            for (j = 1; j < MJ - 1; j++)
                for (k = 1; k < MK - 1; k++) {
                    s0 = sp[i + 1][j][k] + sp[i][j + 1][k] + sp[i][j][k + 1] + 0.0f + sp[i - 1][j][k] + sp[i][j - 1][k] +
                         sp[i][j][k - 1];
                    ss = s0 * (1.0f / 6.0f) - sp[i][j][k];
                    sgosa += ss * ss;
                    sw[i][j][k] = sp[i][j][k] + omega * ss;
                }
        for (i = 1; i < MI - 1; i++)
            for (j = 1; j < MJ - 1; j++)
                for (k = 1; k < MK - 1; k++) sp[i][j][k] = sw[i][j][k];
    }
#pragma xmp loop(k, j, i) on t[i][j][k] reduction(+ : wrong)
    for (i = 0; i < MI; i++)
        for (j = 0; j < MJ; j++)
            for (k = 0; k < MK; k++) wrong += fabsf(p[i][j][k] - sp[i][j][k]) > 1e-5f;
    if (wrong || fabsf(gosa - sgosa) > 1e-4f * sgosa) {
        printf("%d wrong, %g instead of %g\n", wrong, gosa, sgosa);
        return 1;
    }
    return 0;
}
