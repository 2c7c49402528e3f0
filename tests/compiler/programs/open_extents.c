/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays at file scope whose extents are variables. */
#include <stdio.h>
#include <xmp.h>

#define MOST 40
enum { FIXED = 4 };
int n = MOST, m = 3 * FIXED;
static int const rows = 30;
#pragma xmp nodes p(*)
#pragma xmp template t(0 : n - 1)
#pragma xmp template s[rows][m]
#pragma xmp distribute t(cyclic) onto p
#pragma xmp distribute s[block][*] onto p
double a[n], wide[rows][m + 1][FIXED];
static int b[n][n - 1], plain[FIXED][MOST];
#pragma xmp align a[i] with t(i)
#pragma xmp align b[*][i] with t(i)
#pragma xmp align wide[i][*][*] with s[i][*]
#pragma xmp shadow wide[1][0][0]

static double trace(int k, double x[k][k]) {
    double sum = 0;
    for (int i = 0; i < k; i++) sum += x[i][i];
    return sum;
}

static double sum_of(void) {
    double sum = 0;
#pragma xmp loop on t(i) reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += a[i];
    return sum;
}

int main(void) {
    int failures = 0;
#pragma xmp loop on t(i)
    for (int i = 0; i < n; i++) a[i] = i;
    if (sum_of() != 780) failures++;
#pragma xmp loop on t(i)
    for (int i = 0; i < n - 1; i++)
        for (int k = 0; k < n; k++) b[k][i] = 100 * k + i;
    int row[MOST - 1];
#pragma xmp gmove
    row[:] = b[7][:];
    for (int i = 0; i < n - 1; i++) failures += row[i] != 700 + i;
#pragma xmp loop on s[i][*]
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < FIXED; k++) wide[i][j][k] = i + 0.1 * j + 0.01 * k;
#pragma xmp reflect(wide)
#pragma xmp loop on s[i][*] reduction(+ : failures)
    for (int i = 1; i < rows; i++) failures += wide[i - 1][m - 1][2] != i - 1 + 0.1 * (m - 1) + 0.01 * 2;
    double square[3][3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    failures += trace(3, square) != 6;
    plain[1][2] = 3;
    if (failures + plain[1][2] != 3) printf("node %d: %d failures\n", xmp_node_num(), failures);
    return failures != 0;
}
