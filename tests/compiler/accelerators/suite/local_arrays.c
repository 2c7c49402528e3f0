/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays and templates of functions, with extents of the run time, called several times; nodes with = *. */
#include <stdio.h>
#include <xmp.h>
#pragma xmp nodes p[*]
static int work(int n, int m) {
#pragma xmp nodes q[*] = *
#pragma xmp template t[n][m]
#pragma xmp distribute t[block][*] onto q
    int u[n][m], v[n][m], w = 0;
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align v[i][j] with t[i][j]
#pragma xmp shadow u[1][1]
#pragma acc data create(u) copyout(v)
    {
#pragma acc parallel loop collapse(2)
#pragma xmp loop(i, j) on t[i][j]
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) u[i][j] = i * m + j, v[i][j] = 0;
#pragma xmp reflect(u) width(/ periodic / 1, 1) acc
#pragma acc parallel loop collapse(2)
#pragma xmp loop(i, j) on t[i][j]
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) v[i][j] = u[i - 1][j] + 1000 * u[i + 1][j];
    }
#pragma xmp loop(i, j) on t[i][j] reduction(+ : w)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) w += v[i][j] != ((i + n - 1) % n) * m + j + 1000 * (((i + 1) % n) * m + j);
    return w;
}
int main(void) {
    int w = work(8, 5) + work(16, 3) + work(9, 1) + work(8, 5);
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
