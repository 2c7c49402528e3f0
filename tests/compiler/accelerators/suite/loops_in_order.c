/* SPDX-License-Identifier: Apache-2.0 */
/* xmp loop and acc loop in either order on each level of a nest; collapse over split and whole dimensions; steps; downwards;
 * triangles. */
#include <stdio.h>
#include <xmp.h>
#define N 21
#define M 9
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
#pragma xmp template r[M]
#pragma xmp distribute r[block] onto p
int a[N][M], b[N][M], w[N][M];
#pragma xmp align[i][j] with t[i][j] ::a, b
#pragma xmp align w[*][j] with r[j]
int main(void) {
    int wrong = 0;
#pragma acc enter data create(a, b, w)
#pragma acc parallel present(a)
#pragma xmp loop on t[i][*]
#pragma acc loop gang
    for (int i = 0; i < N; i++)
#pragma acc loop vector
        for (int j = 0; j < M; j++) a[i][j] = 10 * i + j, b[i][j] = -1;
#pragma acc parallel loop present(w)
    for (int i = 0; i < N; i++) {
#pragma acc loop
#pragma xmp loop on r[j]
        for (int j = 0; j < M; j++) w[i][j] = i - j;
    }
#pragma xmp loop(i, j) on t[i][j]
#pragma acc parallel loop collapse(2) present(a, b)
    for (int i = 2; i < N; i += 3)
        for (int j = M - 1; j >= 1; j -= 2) b[i][j] = a[i][j];
#pragma acc parallel loop present(b)
#pragma xmp loop on t[i][*]
    for (int i = N - 1; i > 0; i -= 4)
        for (int j = 0; j < (i < M ? i : M); j++) b[i][j] += 1000;
#pragma acc exit data copyout(a, b, w)
#pragma xmp loop(i, j) on t[i][j] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            int v = i % 3 == 2 && j % 2 == 0 && j >= 1 ? 10 * i + j : -1;
            if ((N - 1 - i) % 4 == 0 && i > 0 && j < (i < M ? i : M)) v += 1000;
            wrong += a[i][j] != 10 * i + j || b[i][j] != v;
        }
    int v = 0;
#pragma xmp loop on r[j] reduction(+ : v)
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++) v += w[i][j] != i - j;
    if (wrong + v) printf("%d %d wrong\n", wrong, v);
    return wrong + v != 0;
}
