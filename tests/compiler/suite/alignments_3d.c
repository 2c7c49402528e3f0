/* SPDX-License-Identifier: Apache-2.0 */
/* Aligns: transposed, with offsets both ways, with constants, `*` in the middle of three dimensions, replicated on one axis of three. */
#include <stdio.h>
#include <xmp.h>
#pragma xmp nodes p[*][2]
#pragma xmp template t[12][14]
#pragma xmp distribute t[block][cyclic] onto p
#pragma xmp template k[6][5][8]
#pragma xmp distribute k[*][block][cyclic(3)] onto p
int a[14][12], b[10][12], c[12], d[14], e[6][5][8], f[8][3][5], g[4][6];
#pragma xmp align a[i][j] with t[j][i]
#pragma xmp align b[i][j] with t[j][i+2]
#pragma xmp align c[i] with t[i][*]
#pragma xmp align d[i] with t[*][i]
#pragma xmp align e[i][j][l] with k[i][j][l]
#pragma xmp align f[i][*][j] with k[*][j][i]
#pragma xmp align g[i][j] with k[j][i+1][*]
static int bad;
#define EXPECT(x) do { if (!(x)) { bad++; printf("line %d\n", __LINE__); } } while (0)
int main(void) {
#pragma xmp loop (i, j) on t[j][i]
    for (int i = 0; i < 14; i++) for (int j = 0; j < 12; j++) a[i][j] = 100 * i + j;
#pragma xmp loop (i, j) on t[j][i + 2]
    for (int i = 0; i < 10; i++) for (int j = 0; j < 12; j++) b[i][j] = a[i + 2][j];
#pragma xmp loop (j) on t[j][*]
    for (int j = 0; j < 12; j++) c[j] = j;
#pragma xmp loop (i) on t[*][i]
    for (int i = 0; i < 14; i++) d[i] = -i;
    int x[14][12], y[10][12], u[12], v[14];
#pragma xmp gmove
    x[:][:] = a[:][:];
#pragma xmp gmove
    y[:][:] = b[:][:];
#pragma xmp gmove
    u[:] = c[:];
#pragma xmp gmove
    v[:] = d[:];
    for (int i = 0; i < 14; i++) for (int j = 0; j < 12; j++) { EXPECT(x[i][j] == 100 * i + j); if (i < 10) EXPECT(y[i][j] == 100 * (i + 2) + j); EXPECT(u[j] == j && v[i] == -i); }
    long s = 0;
#pragma xmp loop (i, j) on t[j][i] reduction(+:s)
    for (int i = 0; i < 14; i++) for (int j = 0; j < 12; j++) s += a[i][j] * c[j] + d[i];
    long want = 0;
    for (int i = 0; i < 14; i++) for (int j = 0; j < 12; j++) want += (100 * i + j) * j - i;
    EXPECT(s == want);
#pragma xmp loop (i, j, l) on k[i][j][l]
    for (int i = 0; i < 6; i++) for (int j = 0; j < 5; j++) for (int l = 0; l < 8; l++) e[i][j][l] = 100 * i + 10 * j + l;
#pragma xmp loop (l, j) on k[*][j][l]
    for (int l = 0; l < 8; l++) for (int j = 0; j < 5; j++) { f[l][0][j] = e[0][j][l]; f[l][1][j] = e[3][j][l]; f[l][2][j] = e[5][j][l] - f[l][1][j]; }
#pragma xmp loop (i, j) on k[j][i + 1][*]
    for (int i = 0; i < 4; i++) for (int j = 0; j < 6; j++) g[i][j] = i - j;
    int z[8][3][5], w[4][6];
#pragma xmp gmove
    z[:][:][:] = f[:][:][:];
#pragma xmp gmove
    w[:][:] = g[:][:];
    for (int l = 0; l < 8; l++) for (int j = 0; j < 5; j++) EXPECT(z[l][0][j] == 10 * j + l && z[l][1][j] == 300 + 10 * j + l && z[l][2][j] == 200);
    for (int i = 0; i < 4; i++) for (int j = 0; j < 6; j++) EXPECT(w[i][j] == i - j);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
/* RANKS: 2 4 6 8 16 */
