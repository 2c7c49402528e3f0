/* SPDX-License-Identifier: Apache-2.0 */
/* layout of arrays that are not distributed over nodes: each node has all of them, in blocks on its devices. */
#include <stdio.h>
#include <xmp.h>
#define N 40
#define M 6
int a[N], b[N];
double u[N][M], v[M][N];
#pragma acc devices d[*]
#pragma acc declare create(a, b) layout([block]) shadow([1:1]) on_device(d)
#pragma acc declare create(v) layout([*][block])
static int x[N], y[N];
#pragma acc declare create(x, y) on_device(d)
static int bad;
static void fill(int n) {
    double w[n];
#pragma acc data copy(w) layout([block]) on_device(d)
    {
#pragma acc parallel loop layout(w[k])
        for (int k = 0; k < n; k++) w[k] = k / 2.0;
    }
    for (int k = 0; k < n; k++) bad += w[k] != k / 2.0;
}
int main(void) {
#pragma acc kernels loop layout(a[i])
    for (int i = 0; i < N; i++) a[i] = i * 3;
#pragma acc reflect(a)
#pragma acc parallel loop layout(b[i]) on_device(d)
    for (int i = 1; i < N - 1; i++) b[i] = a[i - 1] + a[i + 1];
#pragma acc update self(a, b)
    for (int i = 0; i < N; i++) bad += a[i] != 3 * i;
    for (int i = 1; i < N - 1; i++) bad += b[i] != 6 * i;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) u[i][j] = i + j;
#pragma acc data copy(u) layout([block][*]) on_device(d)
    {
#pragma acc parallel loop collapse(2) layout(u[i][*]) on_device(d)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) u[i][j] *= 2;
#pragma acc parallel loop layout(u[i + 1][*])
        for (int i = N - 2; i >= 0; i--)
            for (int j = 0; j < M; j++) u[i + 1][j] += 1;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) bad += u[i][j] != 2 * (i + j) + (i > 0);
#pragma acc parallel loop layout(v[*][i])
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) v[j][i] = i - j;
#pragma acc update self(v)
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++) bad += v[j][i] != i - j;
    for (int i = 0; i < N; i++) x[i] = i; /* each device has all of them */
#pragma acc update device(x)
#pragma acc parallel loop on_device(d)
    for (int i = 0; i < N; i++) y[i] = 2 * x[i];
#pragma acc update self(y)
    for (int i = 0; i < N; i++) bad += y[i] != 2 * i;
    fill(17);
    fill(5);
    if (bad) printf("%d wrong\n", bad);
    return bad != 0;
}
