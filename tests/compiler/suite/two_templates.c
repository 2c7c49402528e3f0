/* SPDX-License-Identifier: Apache-2.0 */
/* Nested loops over two templates on two node sets; shadows lopsided; gblock from a run-time table. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp nodes q[*] = p[:]
int sizes[16];
#pragma xmp template rows[:]
#pragma xmp template grid[:][:]
#pragma xmp distribute rows[gblock(*)] onto p
#pragma xmp distribute grid[block][*] onto q
double *x, (*g)[11];
#pragma xmp align x[i] with rows[i]
#pragma xmp align g[i][j] with grid[i][j]
#pragma xmp shadow x[2:1]
#pragma xmp shadow g[0:2][0]
static int bad;
int main(int argc, char **argv) {
    int const np = xmp_num_nodes();
    int n = 0;
    for (int k = 0; k < np; k++) n += sizes[k] = 3 + k % 3;
#pragma xmp template_fix[gblock(sizes)] rows[n]
#pragma xmp template_fix grid[n][11]
    x = xmp_malloc(xmp_desc_of(x), n);
    g = xmp_malloc(xmp_desc_of(g), n, 11);
#pragma xmp loop on rows[i]
    for (int i = 0; i < n; i++) x[i] = i * i;
#pragma xmp loop (i, j) on grid[i][j]
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 11; ++j) g[i][j] = i + j / 16.0;
#pragma xmp reflect (x) width(2:1) async(7)
#pragma xmp reflect (g) width(0:2, 0)
#pragma xmp wait_async (7)
    double s = 0, want = 0;
#pragma xmp loop on rows[i] reduction(+:s)
    for (int i = 2; i < n - 1; i++) s += x[i - 2] - 2 * x[i] + x[i + 1];
    for (int i = 2; i < n - 1; i++) want += (i - 2.0) * (i - 2) - 2.0 * i * i + (i + 1.0) * (i + 1);
    if (s != want) bad++, printf("x %g %g\n", s, want);
    int count = 0;
#pragma xmp loop on grid[i][*]
    for (int i = 0; i < n - 2; i++) {
        double t = 0;
        for (int j = 0; j < 11; j++) t += g[i + 2][j] - g[i][j] - 2;
        if (t != 0) bad++;
        count++;
    }
#pragma xmp reduction (+:count)
    if (count != n - 2) bad++, printf("count %d\n", count);
    double y[n];
#pragma xmp gmove
    y[:] = x[:];
    for (int i = 0; i < n; i++) bad += y[i] != (double)i * i;
#pragma xmp gmove
    g[0:n][4] = x[0:n];
#pragma xmp gmove
    y[0:n] = g[n - 1:n:-1][4];
    for (int i = 0; i < n; i++) bad += y[i] != (double)(n - 1 - i) * (n - 1 - i);
    xmp_free(xmp_desc_of(x));
    xmp_free(xmp_desc_of(g));
#pragma xmp reduction (+:bad)
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
