/* SPDX-License-Identifier: Apache-2.0 */
/* Macros in which something is changed: heads of loops, references, directives, functions, declarations. Their uses are written out. */
#include <stdio.h>
#include <assert.h>
#include <xmp.h>
enum { N = 20 };
static int failures;
static void expect(int ok, int line) { if (!ok) { printf("node %d of %d: line %d\n", xmp_all_node_num(), xmp_all_num_nodes(), line); failures++; } }
#define EXPECT(c) expect(c, __LINE__)
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define EACH(i, from, to) for (int i = from; i < to; ++i)
#define BACK(i, n) for (int i = n - 1; i >= 0; i--)
#define A(i) a[i]
#define C(i) c[i]
#define Q(i, j) q[i][j]
#define SQUARE(i) (c[i] * (i))
#define TWICE(x) ((x) + (x))
#define LAST N - 1
#define BARRIER _Pragma("xmp barrier")
#define PRAGMA(x) _Pragma(#x)
#define SPLIT(i, n) PRAGMA(xmp loop on t[i]) for (int i = 0; i < n; i++)
#define SET(i, v) c[i] = (v); b[i] = (v)
#define DEFINE(name, f) static void name(void) { PRAGMA(xmp loop on t[i]) for (int i = 0; i < N; i++) c[i] = f(i); }
#define ARRAY(type, name) type name[N]
#define COPY(x, y) x[:] = y[:]
#define SUMMED(s) PRAGMA(xmp reduction(+ : s))
#define PART 3

#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp template u[N]
#pragma xmp template w[N][N]
#pragma xmp distribute t[cyclic] onto p
#pragma xmp distribute u[cyclic(PART)] onto p
#pragma xmp distribute w[cyclic(2)][*] onto p
int a[N], c[N], b[N];
ARRAY(int, d);
int q[N][N];
#pragma xmp align a[i] with u[i]
#pragma xmp align [i] with t[i] :: b, c, d
#pragma xmp align q[i][j] with w[i][j]
DEFINE(cubes, 3 *)

int main(void) {
#pragma xmp loop on t[i]
    FOR(i, N) c[i] = i;
#pragma xmp loop on u[i]
    EACH(i, 2, LAST) A(i) = 2 * i;
#pragma xmp loop on t[i]
    BACK(i, N) { EXPECT(SQUARE(i) == i * i); EXPECT(TWICE(C(i)) == 2 * i); assert(C(i) == i); }
#pragma xmp loop on u[i]
    EACH(i, 2, N - 1) EXPECT(A(i) == 2 * i);
    BARRIER EXPECT(1);
    BARRIER
    SPLIT(i, N) { SET(i, 7 * i); }
    int s = 0;
    SPLIT(k, N) s += b[k] - C(k) + 1; SUMMED(s)
    EXPECT(s == N);
    cubes();
    s = 0;
#pragma xmp loop (i, j) on w[i][j] reduction(+ : s)
    FOR(i, N)
        FOR(j, N) { Q(i, j) = i * N + j; s += Q(i, j) - i * N; }
    EXPECT(s == N * N * (N - 1) / 2);
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) EXPECT(C(i) == 3 * i);
#pragma xmp gmove
    COPY(d, c);
#pragma xmp loop on t[i]
    FOR(i,
        N) EXPECT(d[i] == 3 * i);
    int plain[4], other[4] = {1, 2, 3, 4};
    COPY(plain, other);
    EXPECT(plain[3] == 4);
    /* Lines stay. */
    EXPECT(__LINE__ == 76);
    return failures != 0;
}
