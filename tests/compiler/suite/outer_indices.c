/* SPDX-License-Identifier: Apache-2.0 */
/* Inside a loop over i, `loop on t[i][j]` without a list shares the loop over j among the nodes that have row i. */
#include <stdio.h>
#include <xmp.h>
#define N 9
#define M 7
#pragma xmp nodes p[*][*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][block] onto p
int a[N][M], b[N][M], c[N][M];
#pragma xmp align [i][j] with t[i][j] :: a, b, c
int main(void) {
    int w = 0, i, j;
    for (i = 0; i < N; i++) {
#pragma xmp loop on t[i][j]
        for (j = 0; j < M; j++) a[i][j] = 10 * i + j;
    }
    for (int k = 0; k < M; k++)
#pragma xmp loop on t[i][k]
        for (i = N - 1; i >= 0; i--) b[i][k] = 10 * i + k;
    for (int i = 0; i < N - 1; i++) {
        int sum = 0;
#pragma xmp loop on t[i + 1][j] reduction(+ : sum)
        for (int j = 0; j < M; j++) c[i + 1][j] = 5, sum += a[i + 1][j];
#pragma xmp bcast(sum) from t[i + 1][0]
        w += sum != M * 10 * (i + 1) + M * (M - 1) / 2;
    }
#pragma xmp loop on t[i][j] reduction(+ : w)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) w += a[i][j] != 10 * i + j || b[i][j] != 10 * i + j || (i > 0 && c[i][j] != 5);
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
