/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned pointers with xmp_malloc: data clauses with and without parts, rows, halos, freed and made anew. */
#include <stdio.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[ : ][ : ]
#pragma xmp distribute t[block][*] onto p
double (*u)[14], (*v)[14];
float* line;
#pragma xmp template s[ : ]
#pragma xmp distribute s[block] onto p
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align v[i][j] with t[i][j]
#pragma xmp align line[i] with s[i]
#pragma xmp shadow u[1][0]
#pragma xmp shadow line[1]
int main(void) {
    int n = 20, m = 14, w = 0;
#pragma xmp template_fix t[20][14]
#pragma xmp template_fix s[n]
    for (int round = 0; round < 2; round++) {
        u = (double(*)[14])xmp_malloc(xmp_desc_of(u), n, m);
        v = (double(*)[14])xmp_malloc(xmp_desc_of(v), n, m);
        line = (float*)xmp_malloc(xmp_desc_of(line), n);
#pragma xmp loop(i, j) on t[i][j]
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) u[i][j] = i * j + round, v[i][j] = 0;
#pragma xmp loop on s[i]
        for (int i = 0; i < n; i++) line[i] = i;
#pragma acc enter data copyin(u, v [0:n] [0:m], line [0:n])
#pragma xmp reflect(u, line) acc
#pragma acc parallel loop collapse(2) present(u, v)
#pragma xmp loop(i, j) on t[i][j]
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) v[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] - u[i][j + 1];
#pragma acc parallel loop present(line, v)
#pragma xmp loop on s[i]
        for (int i = 1; i < n - 1; i++) v[i][0] = line[i - 1] + line[i + 1];
#pragma acc exit data copyout(v) delete (u, line)
#pragma xmp loop(i, j) on t[i][j] reduction(+ : w)
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++) w += v[i][j] != (j == 0 ? 2 * i : 2 * i * j + i * (j - 1) - i * (j + 1) + 2 * round);
        xmp_free(xmp_desc_of(u));
        xmp_free(xmp_desc_of(v));
        xmp_free(xmp_desc_of(line));
    }
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
