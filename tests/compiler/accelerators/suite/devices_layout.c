/* SPDX-License-Identifier: Apache-2.0 */
/* Several devices of a node: devices, on_device, layout, shadow, acc reflect, barrier_device. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>
#define N 32
#define M 10
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
double u[N][M], v[N][M];
#pragma xmp align[i][j] with t[i][j] ::u, v
#pragma xmp shadow u[1][0]
#pragma acc devices d[*]
static double x[N][M], y[N][M];
int main(void) {
    int w = 0;
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) u[i][j] = v[i][j] = (i * 3 + j * 7) % 17;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) x[i][j] = y[i][j] = (i * 3 + j * 7) % 17;
#pragma acc data copy(u, v) layout([block][*]) shadow([1:1][0]) on_device(d)
    {
        for (int k = 0; k < 5; k++) {
#pragma xmp reflect(u) acc
#pragma acc parallel loop collapse(2) layout(v[i][*]) on_device(d)
#pragma xmp loop(i, j) on t[i][j]
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < M - 1; j++) v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma xmp loop(i, j) on t[i][j]
#pragma acc parallel loop collapse(2) layout(u[i][*]) on_device(d)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < M - 1; j++) u[i][j] = v[i][j];
#pragma acc barrier_device
#pragma acc reflect(u)
        }
    }
    for (int k = 0; k < 5; k++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) y[i][j] = 0.25 * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) x[i][j] = y[i][j];
    }
#pragma xmp loop(i, j) on t[i][j] reduction(+ : w)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) w += u[i][j] != x[i][j];
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
