/* SPDX-License-Identifier: Apache-2.0 */
/* gblock in two dimensions fixed at run time from computed loads, redistributed by gmove to others as loads change; empty blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define R 12
#define C 9
#pragma xmp nodes p[*][2]
static int rows[16], cols[2];
static void loads(int k, int n, int *w, int total) {
    int left = total;
    for (int i = 0; i < n; i++) { w[i] = i == n - 1 ? left : (i + k) % 3 == 0 ? 0 : (left < 4 ? left : 4 - k % 2); left -= w[i]; }
}
static int turn(int k, int given[R][C], int result[R][C]) {
    int const n = xmp_num_nodes() / 2;
    loads(k, n, rows, R);
    cols[0] = (k * 4) % (C + 1); cols[1] = C - cols[0];
#pragma xmp template t[:][:]
#pragma xmp distribute t[gblock(*)][gblock(*)] onto p
    int (*x)[C];
#pragma xmp align x[i][j] with t[i][j]
#pragma xmp template_fix[gblock(rows)][gblock(cols)] t[R][C]
    x = xmp_malloc(xmp_desc_of(x), R, C);
#pragma xmp gmove
    x[0:R][0:C] = given[0:R][0:C];
    int s = 0;
#pragma xmp loop (i, j) on t[i][j] reduction(+:s)
    for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) { s += x[i][j]; x[i][j] += k; }
#pragma xmp gmove
    result[0:R][0:C] = x[0:R][0:C];
#pragma xmp gmove
    result[R - 1][0:C] = x[0][C - 1:C:-1];
    xmp_free(xmp_desc_of(x));
    return s;
}
int main(void) {
    int g[R][C], r[R][C], bad = 0;
    for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) g[i][j] = i * C + j;
    for (int k = 0; k < 5; k++) {
        bad += turn(k, g, r) != R * C * (R * C - 1) / 2;
        for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) bad += r[i][j] != (i == R - 1 ? C - 1 - j + k : i * C + j + k);
    }
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
/* RANKS: 2 4 6 8 16 */
