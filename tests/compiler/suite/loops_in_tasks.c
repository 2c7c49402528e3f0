/* SPDX-License-Identifier: Apache-2.0 */
/* Loops in a task are shared, and reduced, by the nodes of the task that have its iterations; reductions of all kinds, rows of nodes, nested tasks. */
#include <stdio.h>
#include <xmp.h>
#define N 24
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic] onto p
static int a[N], b[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with c[i]
static int bad;
#define EXPECT(x) do { if (!(x)) { bad++; printf("line %d node %d of %d\n", __LINE__, xmp_all_node_num(), xmp_all_num_nodes()); } } while (0)
static int sum_of(int from, int to) {
    int s = 0;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = from; i < to; i++) s += a[i];
    return s;
}
int main(void) {
    int const n = xmp_num_nodes(), half = (n + 1) / 2, w = (N + n - 1) / n;
    int const first = half * w < N ? half * w : N;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = i;
#pragma xmp loop on c[i]
    for (int i = 0; i < N; i++) b[i] = i;
#pragma xmp tasks
    {
#pragma xmp task on p[0:half]
        {
            EXPECT(sum_of(0, first) == first * (first - 1) / 2);
            int big = -1, at = -1, low = 1000;
#pragma xmp loop on t[i] reduction(max:big) reduction(firstmin:low/at/)
            for (int i = 0; i < first; i++) {
                if (a[i] > big) big = a[i];
                if ((a[i] * 7) % 5 < low) { low = (a[i] * 7) % 5; at = i; }
            }
            EXPECT(big == first - 1 && low == 0 && at == 0);
#pragma xmp task on p[0]
            EXPECT(sum_of(0, w < N ? w : N) == (w < N ? w * (w - 1) / 2 : N * (N - 1) / 2));
            int s = 0, count = 0;
#pragma xmp loop on c[i] reduction(+:s, count)
            for (int i = 0; i < N; i++) if (i % n < half) { s += b[i]; count++; }
            int want = 0;
            for (int i = 0; i < N; i++) if (i % n < half) want += i;
            EXPECT(s == want);
            int all = 1;
#pragma xmp reduction (+:all)
            EXPECT(all == half && xmp_num_nodes() == half);
        }
#pragma xmp task on t[first < N ? first : N - 1:first < N ? N - first : 1]
        {
            int s = 0, last = (N + w - 1) / w;
            if (first < N) EXPECT(sum_of(first, N) == N * (N - 1) / 2 - first * (first - 1) / 2);
            int const begin = first < N ? half : 0, end = first < N ? last : 0;
#pragma xmp loop on p[k] reduction(+:s)
            for (int k = begin; k < end; k++) s += k;
            EXPECT(s == (first < N ? last * (last - 1) / 2 - half * (half - 1) / 2 : 0));
        }
    }
    EXPECT(sum_of(0, N) == N * (N - 1) / 2);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
