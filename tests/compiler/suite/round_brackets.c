/* SPDX-License-Identifier: Apache-2.0 */
/* Round brackets throughout, templates from negative bounds, several dimensions in Fortran's order, sections by (lower:upper:step), on p(*), in one program with square ones. */
#include <stdio.h>
#include <xmp.h>
#pragma xmp nodes p(2, *)
#pragma xmp nodes all(*)
#pragma xmp template t(-4:9, 1:11)
#pragma xmp distribute t(cyclic(2), block) onto p
double a[11][14], b[11][14];
#pragma xmp align a[j][i] with t(i-4, j+1)
#pragma xmp align b[j][i] with t(i-4, j+1)
#pragma xmp shadow a[1][0]
int line[11];
#pragma xmp align line[j] with t(*, j+1)
static int bad;
int main(void) {
    int const n = xmp_num_nodes(), k = xmp_node_num();
#pragma xmp loop (j, i) on t(i - 4, j + 1)
    for (int j = 0; j < 11; j++)
        for (int i = 0; i < 14; i++) { a[j][i] = 100 * j + i; b[j][i] = 0; }
#pragma xmp reflect (a) width(1, 0)
#pragma xmp loop (j, i) on t(i - 4, j + 1)
    for (int j = 1; j < 10; j++)
        for (int i = 0; i < 14; i++) b[j][i] = a[j + 1][i] - a[j - 1][i];
    int s = 0;
#pragma xmp loop (i, j) on t(i, j) reduction(+:s)
    for (int j = 1; j <= 11; j++)
        for (int i = -4; i <= 9; i++) s += b[j - 1][i + 4] == 200;
    bad += s != 9 * 14;
#pragma xmp loop (j) on t(*, j + 1)
    for (int j = 0; j < 11; j++) line[j] = j * j;
    int v[11];
#pragma xmp gmove
    v[:] = line[:];
    for (int j = 0; j < 11; j++) bad += v[j] != j * j;
    int x = k;
#pragma xmp reduction (+:x) on all(1:n)
    bad += x != n * (n + 1) / 2;
    x = k;
#pragma xmp bcast (x) from all(n)
    bad += x != n;
#pragma xmp task on p(1:2, 1)
    {
        int y = 1;
#pragma xmp reduction (+:y)
        bad += y != 2;
    }
#pragma xmp task on t(-4, 11)
    bad += a[10][0] != 1000;
    int seen = 0;
#pragma xmp loop on all(q)
    for (int q = 1; q <= n; q++) seen += q;
    bad += seen != k;
    int odd = 0;
#pragma xmp task on all(1:n:2)
    odd = 1;
    bad += odd != (k % 2);
#pragma xmp reduction (+:bad)
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
/* RANKS: 2 4 6 8 16 */
