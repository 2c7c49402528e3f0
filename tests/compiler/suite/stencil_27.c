/* SPDX-License-Identifier: Apache-2.0 */
/* 27-point stencil in 3-D on 3-D nodes, periodic and not, with halos of corners, and only the orthogonal ones; odd sizes. */
#include <stdio.h>
#include <math.h>
#include <xmp.h>
#define NX 9
#define NY 7
#define NZ 11
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(NX > 1, "");
#endif
#pragma xmp nodes p[*][1][1]
#pragma xmp nodes q[*]
#pragma xmp template t[NX][NY][NZ]
#pragma xmp distribute t[block][block][block] onto p
typedef struct { float v; int w; } cell;
static cell u[NX][NY][NZ];
static double f[NX][NY][NZ];
#pragma xmp align u[i][j][k] with t[i][j][k]
#pragma xmp align f[i][j][k] with t[i][j][k]
#pragma xmp shadow u[1][1][1]
#pragma xmp shadow f[1:1][2:0][0:1]
static inline int wrap(int i, int n) { return (i + n) % n; }
int main(void) {
    int bad = 0;
#pragma xmp loop (i, j, k) on t[i][j][k]
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            for (int k = 0; k < NZ; k++) {
                u[i][j][k] = (cell){.v = i * 100 + j * 10, .w = k};
                f[i][j][k] = u[i][j][k].v + u[i][j][k].w / 64.0;
            }
#pragma xmp reflect (u) width(/periodic/1, /periodic/1, /periodic/1)
#pragma xmp loop (i, j, k) on t[i][j][k]
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++)
            for (int k = 0; k < NZ; k++)
                for (int a = -1; a <= 1; a++)
                    for (int b = -1; b <= 1; b++)
                        for (int c = -1; c <= 1; c++) {
                            cell const e = u[i + a][j + b][k + c];
                            bad += e.v != wrap(i + a, NX) * 100 + wrap(j + b, NY) * 10 || e.w != wrap(k + c, NZ);
                        }
#pragma xmp reflect (f) width(1, 2:0, 0:1) orthogonal
#pragma xmp loop (i, j, k) on t[i][j][k] reduction(+:bad)
    for (int i = 1; i < NX - 1; i++)
        for (int j = 2; j < NY; j++)
            for (int k = 0; k < NZ - 1; k++) {
                double const lap = f[i - 1][j][k] + f[i + 1][j][k] - 2 * f[i][j][k] + (f[i][j - 2][k] - f[i][j][k]) / 20 + (f[i][j][k + 1] - f[i][j][k]);
                bad += fabs(lap - (-1.0 + 1 / 64.0)) > 1e-12;
            }
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
