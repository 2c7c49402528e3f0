/* SPDX-License-Identifier: Apache-2.0 */
/* Macros in clauses and heads of loops, with coarrays and images in them. */
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
#define ROOT root
#define END(c) ((c) - 1)
#define LOOP(i, lo, hi) for (int i = lo; i < hi; i++)
#define SUM(v) _Pragma("xmp reduction(+ : v)")
#define IMAGE(x, k) x:[k]
#define PART(b, l) b:l
#define ROW(a, i) a[i][0:4]
#define EACH _Pragma("xmp loop on t[i]") for (int i = 0; i < lim; i++)
#define CHECK(c) EXPECT(c)
#define TWO(s, v) s += v; _Pragma("xmp barrier") s += v
#define GUARD(c) if (c) { _Pragma("xmp barrier") } else { _Pragma("xmp barrier") }
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic] onto p
int root:[*], lim:[*], k[4]:[*];
int a[N], m[N][4];
#pragma xmp align a[i] with t[i]
#pragma xmp align m[i][*] with t[i]
int main(void) {
    int me = xmpc_node_num(), n = xmp_num_nodes();
    root = n - 1, lim = N; k[2] = 5 + me;
    int x = me;
#pragma xmp bcast (x) from p[ROOT]
    CHECK(x == n - 1);
    EACH a[i] = i;
#pragma xmp loop on t[i]
    LOOP(i, 0, END(lim)) a[i]++;
#pragma xmp loop on t[i]
    LOOP(i, 0, N) CHECK(a[i] == i + (i < N - 1));
    xmp_sync_all(NULL);
    CHECK(IMAGE(k[2], root) == 5 + n - 1);
    int q[4] = {1, 2, 3, 4}, r[4];
    r[PART(0, 4)] = q[PART(0, 4)];
    CHECK(r[3] == 4);
#pragma xmp loop on t[i]
    LOOP(i, 0, IMAGE(lim, 0)) ROW(m, i) = q[0:4];
#pragma xmp loop on t[i]
    LOOP(i, 0, N) CHECK(m[i][3] == 4);
    int s = 0;
    TWO(s, x);
    CHECK(s == 2 * (n - 1));
    GUARD(n > 1)
    int v = 1;
    SUM(v);
    CHECK(v == n);
    xmp_sync_all(NULL);
    IMAGE(k[1], (me + 1) % n) = me;
    xmp_sync_all(NULL);
    CHECK(k[1] == (me + n - 1) % n);
#pragma xmp task on p[END(n)]
    v = -1;
    CHECK(v == (me == n - 1 ? -1 : n));
#pragma xmp reduction(+ : k[ROOT - ROOT + 1])
    CHECK(k[1] == n * (n - 1) / 2);
    return failures != 0;
}
