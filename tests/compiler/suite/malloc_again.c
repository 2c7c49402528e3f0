/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of the program's size, freed and made again larger; template_fix in a function of another size each call; local templates. */
#include <stdio.h>
#include <xmp.h>
#pragma xmp nodes p[*]
static int run(int n, int m) {
#pragma xmp template t[n][m]
#pragma xmp distribute t[block][*] onto p
    double (*u)[m], (*v)[m];
    int bad = 0;
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align v[i][j] with t[i][j]
#pragma xmp shadow u[1][0]
    u = xmp_malloc(xmp_desc_of(u), n, m);
    v = xmp_malloc(xmp_desc_of(v), n, m);
    int w[n];
#pragma xmp template s[n]
#pragma xmp distribute s[cyclic] onto p
#pragma xmp align w[i] with s[i]
#pragma xmp loop (i, j) on t[i][j]
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) u[i][j] = i * m + j;
#pragma xmp loop on s[i]
    for (int i = 0; i < n; i++) w[i] = i;
#pragma xmp reflect (u) width(/periodic/1, 0)
#pragma xmp loop (i, j) on t[i][j] reduction(+:bad)
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
        v[i][j] = u[i - 1][j] + u[i + 1][j];
        bad += v[i][j] != ((i + n - 1) % n + (i + 1) % n) * m + 2 * j;
    }
    int s2 = 0;
#pragma xmp loop on s[i] reduction(+:s2)
    for (int i = 0; i < n; i++) s2 += w[i];
    bad += s2 != n * (n - 1) / 2;
    xmp_free(xmp_desc_of(v));
    xmp_free(xmp_desc_of(u));
    return bad;
}
int main(void) {
    int bad = 0, np = xmp_num_nodes();
    for (int k = 1; k < 6; k++) bad += run(np * k + k % 3, 2 * k + 1);
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
