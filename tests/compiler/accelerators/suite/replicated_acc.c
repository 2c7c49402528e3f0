/* SPDX-License-Identifier: Apache-2.0 */
/* Replicated and partly distributed arrays on devices: align with stars, matrix times vector over two dimensions, reduction on a
 * row. */
#include <stdio.h>
#include <xmp.h>
#define N 14
#pragma xmp nodes p[*][*]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][block] onto p
double m[N][N], x[N], y[N], all[N];
#pragma xmp align m[i][j] with t[i][j]
#pragma xmp align x[j] with t[*][j]
#pragma xmp align y[i] with t[i][*]
#pragma xmp align all[*] with t[*][*]
int main(void) {
    int w = 0;
#pragma acc enter data create(m, x, y, all)
#pragma acc parallel loop collapse(2) present(m)
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) m[i][j] = i + 2 * j;
#pragma acc parallel loop present(x)
#pragma xmp loop on t[*][j]
    for (int j = 0; j < N; j++) x[j] = j + 1;
#pragma acc parallel loop present(y)
#pragma xmp loop on t[i][*]
    for (int i = 0; i < N; i++) y[i] = 0;
#pragma acc parallel loop present(all)
    for (int i = 0; i < N; i++) all[i] = 3 * i;
#pragma acc parallel loop gang present(m, x, y)
#pragma xmp loop on t[i][*]
    for (int i = 0; i < N; i++) {
        double s = 0;
#pragma acc loop vector reduction(+ : s)
#pragma xmp loop on t[*][j]
        for (int j = 0; j < N; j++) s += m[i][j] * x[j];
        y[i] = s;
    }
#pragma xmp reduction(+ : y) on p[*][ : ] acc
#pragma acc exit data copyout(y, all) delete (m, x)
#pragma xmp loop on t[i][*] reduction(+ : w)
    for (int i = 0; i < N; i++) {
        double s = 0;
        for (int j = 0; j < N; j++) s += (i + 2 * j) * (j + 1.0);
        w += y[i] != s;
    }
    for (int i = 0; i < N; i++) w += all[i] != 3 * i;
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
