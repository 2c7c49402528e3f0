/* SPDX-License-Identifier: Apache-2.0 */
/* Combined directives: a directive for each attribute, over the same lines. */
#include <stdio.h>
#include <xmp.h>
static int failures;
static void expect(int ok, int line) {
    if (!ok) {
        printf("node %d of %d: line %d\n", xmp_all_node_num(), xmp_all_num_nodes(), line);
        failures++;
    }
}
#define EXPECT(c) expect(c, __LINE__)
enum { N = 24 };
#pragma xmp nodes, dimension [*] :: p
#pragma xmp template, distribute [block][*] onto p :: t[N][4], u[N][4]
#pragma xmp distribute [cyclic] onto p, template :: c[N]
int a[N][4], b[N][4], d[N], e[N];
#pragma xmp align [i][j] with t[i][j], shadow [1][0] :: a, b
#pragma xmp shadow [0], align [i] with c[i] :: d, e
int local(void) {
    int s = 0;
#pragma xmp template, dimension [N], distribute [cyclic(3)] onto p :: v, \
            w
    int x[N], y[N];
#pragma xmp align [i] with v[i], shadow [0] :: x, y
#pragma xmp loop on v[i]
    for (int i = 0; i < N; i++) x[i] = y[i] = i;
#pragma xmp loop on w[i] reduction(+ : s)
    for (int i = 0; i < N; i++) s += x[i] + y[i];
    EXPECT(__LINE__ == 30);
    return s;
}
int main(void) {
#pragma xmp loop on t[i][*]
    for (int i = 0; i < N; i++) a[i][0] = i, b[i][3] = 2 * i;
#pragma xmp reflect (a)
#pragma xmp loop on t[i][*]
    for (int i = 1; i < N - 1; i++) EXPECT(a[i - 1][0] == i - 1 && a[i + 1][0] == i + 1);
#pragma xmp loop on c[i]
    for (int i = 0; i < N; i++) d[i] = e[i] = 7 * i;
    int s = 0;
#pragma xmp loop on c[i] reduction(+ : s)
    for (int i = 0; i < N; i++) s += d[i] - e[i] + 1;
    EXPECT(s == N);
    EXPECT(local() == N * (N - 1));
    return failures != 0;
}
