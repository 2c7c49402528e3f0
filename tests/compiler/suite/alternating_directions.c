/* SPDX-License-Identifier: Apache-2.0 */
/* Alternating directions: rows and columns by gmove between [block][*] and [*][block]; tridiagonal systems; against plain C. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>
#define N 20
#define M 14
#pragma xmp nodes p[*]
#pragma xmp template tr[N][M]
#pragma xmp distribute tr[block][*] onto p
#pragma xmp template tc[N][M]
#pragma xmp distribute tc[*][block] onto p
static double u[N][M], v[N][M], ref[N][M];
#pragma xmp align u[i][j] with tr[i][j]
#pragma xmp align v[i][j] with tc[i][j]
static void solve(double *x, int n, int stride) {
    double c[32];
    c[0] = -0.25; x[0] /= 1;
    for (int k = 1; k < n; k++) { double const m = 1 / (1 + 0.25 * c[k - 1]); c[k] = -0.25 * m; x[k * stride] = (x[k * stride] + 0.25 * x[(k - 1) * stride]) * m; }
    for (int k = n - 2; k >= 0; k--) x[k * stride] -= c[k] * x[(k + 1) * stride];
}
int main(void) {
    int bad = 0;
#pragma xmp loop (i, j) on tr[i][j]
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) u[i][j] = (i * 31 + j * 17) % 23;
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) ref[i][j] = (i * 31 + j * 17) % 23;
    for (int it = 0; it < 4; it++) {
#pragma xmp loop (i) on tr[i][*]
        for (int i = 0; i < N; i++) solve(&u[i][0], M, 1);
#pragma xmp gmove
        v[:][:] = u[:][:];
#pragma xmp loop (j) on tc[*][j]
        for (int j = 0; j < M; j++) {
            double col[N];
            for (int i = 0; i < N; i++) col[i] = v[i][j];
            solve(col, N, 1);
            for (int i = 0; i < N; i++) v[i][j] = col[i];
        }
#pragma xmp gmove async(9)
        u[:][:] = v[:][:];
#pragma xmp wait_async (9)
        for (int i = 0; i < N; i++) solve(&ref[i][0], M, 1);
        for (int j = 0; j < M; j++) solve(&ref[0][j], N, M);
    }
    double err = 0;
#pragma xmp loop (i, j) on tr[i][j] reduction(max:err)
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) { double const d = fabs(u[i][j] - ref[i][j]); if (d > err) err = d; }
    bad = err > 1e-12;
    if (bad) printf("err %g\n", err);
    return bad;
}
