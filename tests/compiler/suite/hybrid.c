/* SPDX-License-Identifier: Apache-2.0 */
/* FLAGS: -fopenmp */
/* OpenMP within loops: combined, nested parallel regions, private scalars, reductions of both, schedule, simd, atomic, critical. */
#include <omp.h>
#include <stdio.h>
#include <xmp.h>
#define N 40
#define M 12
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
double u[N][M], v[N][M];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align v[i][j] with t[i][j]
#pragma xmp shadow u[1][0]
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic] onto p
int w[N];
#pragma xmp align w[i] with c[i]
int main(void) {
    int bad = 0;
    double tmp = -1;
    omp_set_num_threads(2);
#pragma xmp loop (i, j) on t[i][j]
#pragma omp parallel for private(tmp) schedule(static, 1)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) { tmp = i * j; u[i][j] = tmp; }
#pragma xmp reflect (u)
    double s = 0;
#pragma omp parallel for reduction(+:s)
#pragma xmp loop (i) on t[i][*] reduction(+:s)
    for (int i = 1; i < N; i++)
        for (int j = 0; j < M; j++) { v[i][j] = u[i][j] - u[i - 1][j]; s += v[i][j]; }
    if (s != (N - 1) * (M * (M - 1) / 2)) bad++, printf("s %g\n", s);
    int hits = 0;
#pragma omp parallel
    {
#pragma xmp loop on c[i]
#pragma omp for nowait
        for (int i = 0; i < N; i++) {
            w[i] = i;
#pragma omp atomic
            hits++;
        }
    }
#pragma xmp reduction (+:hits)
    if (hits != N) bad++, printf("hits %d\n", hits);
    long q = 1;
#pragma xmp loop on c[i] reduction(+:q) threads num_threads(2)
    for (int i = N - 1; i >= 0; i--) q += w[i];
    if (q != 1 + N * (N - 1) / 2) bad++, printf("q %ld\n", q);
    double rowmax = 0;
#pragma xmp loop (i) on t[i][*] reduction(max:rowmax)
    for (int i = 0; i < N; i++) {
        double part = 0;
#pragma omp simd reduction(+:part)
        for (int j = 0; j < M; j++) part += u[i][j];
        if (part > rowmax) rowmax = part;
    }
    if (rowmax != (N - 1) * (M * (M - 1) / 2)) bad++, printf("m %g\n", rowmax);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
