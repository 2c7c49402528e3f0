/* SPDX-License-Identifier: Apache-2.0 */
/* Static arrays of functions on templates of these, and sums of long double _Complex. */
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
#include <complex.h>
enum { N = 24 };
int count(int k) {
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic(2)] onto p
    static int a[N];
#pragma xmp align a[i] with t[i]
    int s = 0;
#pragma xmp loop on t[i] reduction(+ : s)
    for (int i = 0; i < N; i++) s += a[i] += k;
    return s;
}
int main(void) {
    EXPECT(count(1) == N);
    EXPECT(count(2) == 3 * N);
    EXPECT(count(0) == 3 * N);
#pragma xmp nodes q[*]
    int n = xmp_num_nodes(), me = xmpc_node_num();
    long double _Complex z = 1 + me * I, w[3];
    for (int i = 0; i < 3; i++) w[i] = i + 2.0L * me * I;
#pragma xmp reduction(+ : z, w) on q
    EXPECT(creall(z) == n && cimagl(z) == n * (n - 1) / 2);
    EXPECT(creall(w[2]) == 2 * n && cimagl(w[2]) == n * (n - 1));
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto q
    long double _Complex s = 5;
#pragma xmp loop on t[i] reduction(+ : s)
    for (int i = 0; i < N; i++) s += i - i * I;
    EXPECT(creall(s) == N * (N - 1) / 2 + 5 && cimagl(s) == -N * (N - 1) / 2);
    return failures != 0;
}
