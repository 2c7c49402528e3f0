/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes in two dimensions whatever their number is; corners; periodic; widths below and above; async. */
#include <stdio.h>
#include <xmp.h>
#define N 16
#define M 20
#pragma xmp nodes p[*][*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][block] onto p
int a[N][M], b[N][M];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with t[i][j]
#pragma xmp shadow a[2 : 1][1 : 2]
static int value(int i, int j) {
    return 1000 * ((i + N) % N) + (j + M) % M;
}
static void fill(void) {
#pragma acc parallel loop collapse(2) present(a, b)
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            a[i][j] = 1000 * i + j;
            b[i][j] = 0;
        }
}
int main(void) {
    int wrong = 0;
#pragma acc data create(a, b)
    {
        fill();
#pragma xmp reflect(a) width(/ periodic / 2 : 1, / periodic / 1 : 2) acc
#pragma acc parallel loop collapse(2) present(a, b)
#pragma xmp loop(i, j) on t[i][j]
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) b[i][j] = a[i - 2][j - 1] + a[i + 1][j + 2] * 3 + a[i - 1][j + 2] * 5;
#pragma acc update host(b)
        {
#pragma xmp loop(i, j) on t[i][j] reduction(+ : wrong)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < M; j++)
                    wrong += b[i][j] != value(i - 2, j - 1) + 3 * value(i + 1, j + 2) + 5 * value(i - 1, j + 2);
        }
        fill();
#pragma xmp reflect(a) width(1, 1) async(5) acc
#pragma xmp wait_async(5) acc
#pragma acc parallel loop collapse(2) present(a, b)
#pragma xmp loop(i, j) on t[i][j]
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) b[i][j] = a[i - 1][j - 1] + a[i + 1][j + 1] * 3 + a[i][j];
#pragma acc update self(b [1:N - 2] [1:M - 2])
        int w = 0;
#pragma xmp loop(i, j) on t[i][j] reduction(+ : w)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) w += b[i][j] != value(i - 1, j - 1) + 3 * value(i + 1, j + 1) + value(i, j);
        wrong += w;
    }
    if (wrong) printf("%d wrong\n", wrong);
    return wrong != 0;
}
