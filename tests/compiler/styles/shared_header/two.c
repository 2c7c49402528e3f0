/* SPDX-License-Identifier: Apache-2.0 */
#include "common.h"
double sum_of(double f[NR][NC], int from, int to)
{
#pragma xmp align f[i][*] with t[i]
#pragma xmp shadow f[1][0]
    static int calls;
    double s = 0;
    calls++;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = from; i < to; i++)
        for (int j = 0; j < NC; j++) s += f[i][j];
#pragma xmp loop on t[i]
    for (int i = 0; i < NR; i++) marks[i] = calls;
    return s;
}
void step(row_type *f, double const (*g)[NC], int n) {
#pragma xmp align f[i][*] with t[i]
#pragma xmp align g[i][*] with t[i]
#pragma xmp shadow f[1][0]
#pragma xmp shadow g[1][0]
#pragma xmp loop on t[i]
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < NC; j++) f[i][j] = g[i - 1][j] + g[i + 1][j];
}
