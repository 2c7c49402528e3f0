/* SPDX-License-Identifier: Apache-2.0 */
/* All operators in loop and directive, on all types that have them, on node subsets, several lists, arrays, sections, async. */
#include <stdio.h>
#include <stdbool.h>
#include <limits.h>
#include <complex.h>
#include <xmp.h>
#define N 26
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic] onto p
static int bad;
#define EXPECT(x) do { if (!(x)) { bad++; printf("line %d node %d\n", __LINE__, xmp_all_node_num()); } } while (0)
int main(void) {
    int const n = xmp_num_nodes(), me = xmpc_node_num();
    unsigned short us = 1; unsigned long long ull = 1; signed char sc = 0; float f = 0; long double ld = 0; bool all = true, any = false;
    double complex z = 0; unsigned bits = 0, ands = ~0u; long x = 0;
#pragma xmp loop on t[i] reduction(+:us, f, ld, z) reduction(^:x) reduction(|:bits) reduction(&:ands) reduction(&&:all) reduction(||:any) reduction(max:sc) reduction(*:ull)
    for (int i = 0; i < N; i++) {
        us += i; f += i / 2.0f; ld += i; z += i * I; x ^= 1L << i; bits |= 1u << (i % 20); ands &= ~(1u << i); all = all && i != 13; any = any || i == 25;
        if (i > sc) sc = i;
        if (i > 0 && i < 15) ull *= i;
    }
    EXPECT(us == 1 + N * (N - 1) / 2); EXPECT(f == N * (N - 1) / 4.0f); EXPECT(ld == N * (N - 1) / 2); EXPECT(z == I * (N * (N - 1) / 2));
    EXPECT(x == (1L << N) - 1); EXPECT(bits == (1u << 20) - 1); EXPECT(ands == ~((1u << N) - 1)); EXPECT(!all && any && sc == 25);
    EXPECT(ull == 87178291200ULL);
    long v[2][3][4];
    for (int i = 0; i < 24; i++) ((long *)v)[i] = me + i;
#pragma xmp reduction (+:v[1][0:2:2][1:3])
    for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) for (int k = 0; k < 4; k++) {
        int const e = 12 * i + 4 * j + k;
        EXPECT(v[i][j][k] == (i == 1 && j != 1 && k > 0 ? n * (n - 1) / 2 + (long)n * e : me + e));
    }
    int where = -1, other = -1; double best = -1;
#pragma xmp loop on t[i] reduction(firstmax:best/where, other/)
    for (int i = 0; i < N; i++) { double const y = (i * 7) % 11; if (y > best) { best = y; where = i; other = 2 * i; } }
    EXPECT(best == 10 && (where * 7) % 11 == 10 && other == 2 * where);
    int lo = 100 + me, k = me;
#pragma xmp reduction (firstmin:lo/k/)
    EXPECT(lo == 100 && k == 0);
    int part = 1, later = me + 1;
#pragma xmp reduction (+:later) async(4)
    int const half = (n + 1) / 2;
    if (me < half) {
#pragma xmp reduction (+:part) on p[0:half]
        EXPECT(part == half);
    }
#pragma xmp wait_async (4)
    EXPECT(later == n * (n + 1) / 2);
    enum color { red, green = 5, blue = 9 } e = me % 2 ? green : blue;
#pragma xmp reduction (max:e)
    EXPECT(e == blue);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
