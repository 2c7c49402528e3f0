/* SPDX-License-Identifier: Apache-2.0 */
/* reflect_init in a function for an argument, reflect_do in a loop, several arrays at once, async, reduce_shadow as its adjoint: <Rx, y> = <x, R'y>. */
#include <stdio.h>
#include <math.h>
#include <xmp.h>
#define N 19
#define M 13
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
static double x[N][M], y[N][M];
static int m[N][M];
#pragma xmp align x[i][j] with t[i][j]
#pragma xmp align y[i][j] with t[i][j]
#pragma xmp align m[i][j] with t[i][j]
#pragma xmp shadow x[2][0]
#pragma xmp shadow y[2][0]
#pragma xmp shadow m[1:2][0]
int main(void) {
    int bad = 0;
#pragma xmp reflect_init (x, m) width(1, 0)
    for (int k = 0; k < 6; k++) {
#pragma xmp loop (i, j) on t[i][j]
        for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) { x[i][j] = i + k; m[i][j] = i * k + j; }
        if (k % 2) {
#pragma xmp reflect_do (x) async(k)
#pragma xmp reflect_do (m)
#pragma xmp wait_async (k)
        } else {
#pragma xmp reflect_do (x, m)
        }
#pragma xmp loop (i, j) on t[i][j] reduction(+:bad)
        for (int i = 1; i < N - 1; i++) for (int j = 0; j < M; j++)
            bad += x[i - 1][j] + x[i + 1][j] != 2 * (i + k) || m[i + 1][j] - m[i - 1][j] != 2 * k;
    }
    /* each interior element is given to as many copies as the shadows have of it */
#pragma xmp loop (i, j) on t[i][j] expand(/unbound/2, 0)
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) y[i][j] = 1;
#pragma xmp reduce_shadow (y) width(2, 0)
    double total = 0; int copies = 0, own = 0, lo = N, hi = -1;
#pragma xmp loop (i) on t[i][*]
    for (int i = 0; i < N; i++) { own++; if (i < lo) lo = i; if (i > hi) hi = i; }
    if (own) copies = (lo >= 2 ? 2 : lo) + (N - 1 - hi >= 2 ? 2 : N - 1 - hi);
#pragma xmp reduction (+:copies)
#pragma xmp loop (i, j) on t[i][j] reduction(+:total)
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) total += y[i][j];
    if (total != N * M + (double)M * copies) bad++, printf("%g %d\n", total, copies);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
/* RANKS: 1 2 3 4 */
