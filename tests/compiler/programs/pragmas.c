/* SPDX-License-Identifier: Apache-2.0 */
/* _Pragma("xmp ...") with coarrays and images in clauses. */
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
_Pragma("xmp nodes p[*]") _Pragma("xmp template t[N]") _Pragma("xmp distribute t[cyclic(2)] onto p")
int root:[*], lim:[*];
int a[N], x[8];
_Pragma("xmp align a[i] with t[i]")
int main(void) {
    int me = xmpc_node_num(), n = xmp_num_nodes(), y = me;
    root = n - 1; lim = N;
    xmp_sync_all(NULL);
    _Pragma("xmp bcast (y) from p[root]") EXPECT(y == n - 1);
    y = me;
    _Pragma("xmp bcast (y) from p[root:[0]]")
    EXPECT(y == n - 1);
    _Pragma("xmp loop on t[i]") for (int i = 0; i < lim; i++) a[i] = i;
    for (int i = 0; i < 8; i++) x[i] = 1;
    _Pragma("xmp reduction(+ : x[root - root + 2:])") EXPECT(x[1] == 1 && x[2] == n && x[7] == n);
    _Pragma("xmp reduction(+ : x[:2])") EXPECT(x[1] == n);
    int s = 0;
    _Pragma("xmp loop on t[i] reduction(+ : s)") for (int i = 0; i < (int)(sizeof a / sizeof a[0]); i++) s += a[i];
    EXPECT(s == N * (N - 1) / 2);
    _Pragma("xmp task on p[root]") { y = -1; }
    EXPECT(y == (me == n - 1 ? -1 : n - 1));
    return failures != 0;
}
