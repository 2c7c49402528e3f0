/* SPDX-License-Identifier: Apache-2.0 */
/* gmove in and out of arrays on nodes that do not execute them, also on other machines. */
#include <stdio.h>
#include <xmp.h>

#define N 48
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N], b[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp template s[N][5]
#pragma xmp distribute s[block][*] onto p
int c[N][5];
#pragma xmp align c[i][j] with s[i][j]

static int failures;

static void expect(int ok, int line) {
    if (!ok) {
        printf("node %d of %d: line %d\n", xmp_all_node_num(), xmp_all_num_nodes(), line);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

int main(void) {
    int const me = xmpc_all_node_num(), n = xmp_all_num_nodes();
    double got[N], some[N / 2];
    int row[5];
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = -i;
    }
#pragma xmp loop on s[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 5; j++) c[i][j] = 10 * i + j;
#pragma xmp barrier
    for (int k = 0; k < n; k++) {
#pragma xmp task on p[k]
        {
#pragma xmp gmove in
            got[0:N] = a[0:N];
            for (int i = 0; i < N; i++) EXPECT(got[i] == i);
#pragma xmp gmove in
            some[0:N / 2] = a[1:N / 2:2];
            for (int i = 0; i < N / 2; i++) EXPECT(some[i] == 2 * i + 1);
#pragma xmp gmove in
            row[0:5] = c[N - 1 - k][0:5];
            for (int j = 0; j < 5; j++) EXPECT(row[j] == 10 * (N - 1 - k) + j);
        }
    }
#pragma xmp barrier
#pragma xmp task on p[n - 1]
    {
        for (int i = 0; i < N; i++) got[i] = 1000 + i;
#pragma xmp gmove out
        b[0:N] = got[0:N];
#pragma xmp gmove out
        c[3][0:5] = row[0:5];
    }
#pragma xmp barrier
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) EXPECT(b[i] == 1000 + i);
#pragma xmp task on p[0]
    {
#pragma xmp gmove in
        got[0:N] = b[0:N];
        for (int i = 0; i < N; i++) EXPECT(got[i] == 1000 + i);
#pragma xmp gmove in
        row[0:5] = c[3][0:5];
        for (int j = 0; j < 5; j++) EXPECT(row[j] == 10 * (N - n) + j);
    }
    // One value for elements elsewhere, and the value of an element elsewhere for many here.
#pragma xmp barrier
#pragma xmp task on p[n - 1]
    {
        double const value = 7.5;
#pragma xmp gmove out
        b[N - 1] = value;
#pragma xmp gmove out
        b[0:3] = value + 1;
#pragma xmp gmove out
        c[:][2] = -5;
#pragma xmp gmove in
        some[0:4] = a[9];
        for (int i = 0; i < 4; i++) EXPECT(some[i] == 9);
    }
#pragma xmp barrier
    int wrong = 0;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += b[i] != (i < 3 ? 8.5 : i == N - 1 ? 7.5 : 1000 + i);
#pragma xmp loop on s[i][*] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += c[i][2] != -5;
    EXPECT(wrong == 0);
    (void)me;
    return failures != 0;
}
