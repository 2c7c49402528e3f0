/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix product: rows split, columns gathered by gmove acc of a whole column block; tile; a scalar sum in the inner loop. */
#include <stdio.h>
#include <xmp.h>
#define N 18
#pragma xmp nodes p[*]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][*] onto p
double a[N][N], b[N][N], c[N][N];
#pragma xmp align[i][j] with t[i][j] ::a, b, c
static double whole[N][N];
int main(void) {
    int w = 0;
#pragma acc enter data create(a, b, c, whole)
#pragma acc parallel loop collapse(2) present(a, b)
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
        }
#pragma xmp gmove acc
    whole[:][:] = b[:][:];
#pragma acc parallel loop gang present(a, c, whole)
#pragma xmp loop on t[i][*]
    for (int i = 0; i < N; i++)
#pragma acc loop vector
        for (int j = 0; j < N; j++) {
            double s = 0;
#pragma acc loop seq
            for (int k = 0; k < N; k++) s += a[i][k] * whole[k][j];
            c[i][j] = s;
        }
#pragma acc update self(c)
#pragma acc exit data delete (a, b, c, whole)
#pragma xmp loop on t[i][*] reduction(+ : w)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int k = 0; k < N; k++) s += (i + k) * (k - j);
            w += c[i][j] != s;
        }
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
