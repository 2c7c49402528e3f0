/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes, templates and arrays of functions, parameters, several dimensions, gblock, halos of two dimensions. */
#include <stdio.h>
#include <xmp.h>

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
        failures++;
    }
}

static double smooth(int n, int m) {
#pragma xmp nodes q[*]
#pragma xmp template t[n][m]
#pragma xmp distribute t[block][*] onto q
    double x[n][m], y[n][m];
#pragma xmp align x[i][j] with t[i][j]
#pragma xmp align y[i][j] with t[i][j]
#pragma xmp shadow x[1 : 2][0]
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) x[i][j] = i * m + j;
#pragma xmp reflect(x) width(1 : 0, 0)
#pragma xmp reflect(x) width(/ periodic / 1 : 2, 0)
    double sum = 0;
#pragma xmp loop(i, j) on t[i][j] reduction(+ : sum)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            y[i][j] = x[i - 1][j] + x[i + 1][j] + x[i + 2][j];
            sum += y[i][j];
        }
    if (n < 0) return 1;
    return sum;
}

static int widths[16];

static void fill(int a[40]) {
#pragma xmp nodes q[*]
#pragma xmp template t[40]
#pragma xmp distribute t[gblock(widths)] onto q
#pragma xmp align a[i] with t[i]
#pragma xmp loop on t[i]
    for (int i = 0; i < 40; i++) a[i] += i;
}

// Arrays that stay from call to call.
static int calls(void) {
#pragma xmp nodes q[*]
#pragma xmp template s[12]
#pragma xmp distribute s[block] onto q
#pragma xmp static_desc :: q, s
    static int kept[12], total;
#pragma xmp align kept[i] with s[i]
    int sum = 0;
#pragma xmp loop on s[i] reduction(+ : sum)
    for (int i = 0; i < 12; i++) {
        kept[i] += i;
        sum += kept[i];
    }
    return sum + 0 * total;
}

int main(void) {
    int const all = xmp_num_nodes();
    double wanted = 0;
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 7; j++) wanted += (i + 23) % 24 * 7 + j + (i + 1) % 24 * 7 + j + (i + 2) % 24 * 7 + j;
    for (int round = 0; round < 3; round++) expect(smooth(24, 7) == wanted, "halos that wrap around");

    for (int k = 1; k < 4; k++) expect(calls() == 66 * k, "a static array of a function");

    for (int i = 0; i < 40; i++) widths[i * i % all]++;
    {
#pragma xmp nodes q[*]
#pragma xmp template t[40]
#pragma xmp distribute t[gblock(widths)] onto q
        int a[40], got[40], count = 0;
#pragma xmp align a[i] with t[i]
#pragma xmp loop on t[i] reduction(+ : count)
        for (int i = 0; i < 40; i++) {
            a[i] = 100;
            count++;
        }
        expect(count == 40, "gblock");
        fill(a);
#pragma xmp gmove
        got[:] = a[:];
        for (int i = 0; i < 40; i++) expect(got[i] == 100 + i, "an aligned parameter");
    }
    return failures != 0;
}
