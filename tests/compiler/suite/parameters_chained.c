/* SPDX-License-Identifier: Apache-2.0 */
/* Distributed arrays through functions: C99 [static n], restrict, const, pointers to rows, VLA parameters, recursion, function pointers, return of sums. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#define N 18
#define M 5
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N][M], b[N][M], x[N];
#pragma xmp align a[i][*] with t[i]
#pragma xmp align b[i][*] with t[i]
#pragma xmp align x[i] with t[i]
#pragma xmp shadow a[1][0]
#pragma xmp shadow b[1][0]
typedef void kernel(double dst[N][M], const double src[N][M]);
static void left(double dst[N][M], const double src[N][M]) {
#pragma xmp align dst[i][*] with t[i]
#pragma xmp align src[i][*] with t[i]
#pragma xmp shadow dst[1][0]
#pragma xmp shadow src[1][0]
#pragma xmp reflect (src)
#pragma xmp loop on t[i]
    for (int i = 1; i < N; i++) for (int j = 0; j < M; j++) dst[i][j] = src[i - 1][j];
}
static void twice(double dst[static N][M], const double (*restrict src)[M]) {
#pragma xmp align dst[i][*] with t[i]
#pragma xmp align src[i][*] with t[i]
#pragma xmp shadow dst[1][0]
#pragma xmp shadow src[1][0]
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) dst[i][j] = 2 * src[i][j];
}
static double dot(int n, double y[n], double const z[n]) {
#pragma xmp align y[i] with t[i]
#pragma xmp align z[i] with t[i]
    double s = 0;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = 0; i < n; i++) s += y[i] * z[i];
    return s;
}
static double local_sum(double const *row, int m) { double s = 0; while (m-- > 0) s += *row++; return s; }
static double deep(int level, double y[N]) {
#pragma xmp align y[i] with t[i]
    if (level == 0) return 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) y[i] += 1;
    return dot(N, y, y) + deep(level - 1, y);
}
int main(void) {
    int bad = 0;
    kernel *all[] = {left, twice, left};
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) { for (int j = 0; j < M; j++) { a[i][j] = i + 10 * j; b[i][j] = 0; } x[i] = 0; }
    double (*from)[M] = a, (*to)[M] = b;
    for (int k = 0; k < 3; k++) {
        if (k % 2 == 0) all[k](b, a); else all[k](a, b);
    }
    (void)from; (void)to;
#pragma xmp loop on t[i] reduction(+:bad)
    for (int i = 2; i < N; i++) for (int j = 0; j < M; j++) bad += b[i][j] != 2 * (i - 2 + 10 * j);
    double const d = deep(3, x);
    if (d != N * (1 + 4 + 9)) bad++, printf("deep %g\n", d);
    double s = 0;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = 2; i < N; i++) s += local_sum(b[i], M) + local_sum(&b[i][1], M - 1) + local_sum(b[i] + 2, 1);
    double want = 0;
    for (int i = 2; i < N; i++) { for (int j = 0; j < M; j++) want += 2 * (i - 2 + 10 * j) * (1 + (j > 0) + (j == 2)); }
    if (s != want) bad++, printf("s %g %g\n", s, want);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
