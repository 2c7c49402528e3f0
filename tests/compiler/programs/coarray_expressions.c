/* SPDX-License-Identifier: Apache-2.0 */
/* Coarrays and images inside of sections, indices, numbers of images, heads of loops and sizes. */
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
struct point { int x, y[3]; double w; };
struct point q:[*], list[4]:[*];
int k:[*], table[6]:[*], m[3][4]:[*];
static int twice(int v) { return 2 * v; }
static int pick(int const* of, int i) { return of[i]; }
int main(void) {
    int const me = xmp_all_node_num() - 1 , n = xmp_all_num_nodes(), next = (me + 1) % n;
    k = me; q.x = 10 * me; q.y[1] = me + 1; q.w = 0.5;
    for (int i = 0; i < 6; i++) table[i] = i + 10 * me;
    for (int i = 0; i < 12; i++) m[i / 4][i % 4] = i;
    list[2] = q;
    xmp_sync_all(NULL);
    int v = k:[next];
    EXPECT(v == next);
    v = k:[k:[next]];
    EXPECT(v == next);
    EXPECT(twice(k:[next]) + 1 == 2 * next + 1);
    EXPECT(q.y[1]:[next] == next + 1 && list[2]:[next].x == 10 * next);
    EXPECT((me ? k:[0] : k:[next]) == (me ? 0 : next));
    int a[6], b[6] = {0};
    a[0:6] = table[0:6]:[next];
    EXPECT(a[5] == 5 + 10 * next);
    a[k - k:[me]:3] = table[1:3]:[next];
    EXPECT(a[0] == 1 + 10 * next && a[2] == 3 + 10 * next);
    b[table[1] - 10 * me:2] = 7;
    EXPECT(b[1] == 7 && b[2] == 7 && b[3] == 0);
    for (int i = k:[0]; i < table[3]:[0]; i += table[1]:[0]) v += i;
    EXPECT(v == next + 3);
    int c[k + 1];
    EXPECT(sizeof c == (me + 1) * sizeof(int) && sizeof(k) == sizeof(int) && sizeof table / sizeof table[0] == 6);
    switch (k - me) { case 0: v = 3; break; default: v = 4; }
    EXPECT(v == 3);
    xmp_sync_all(NULL);
    table[0]:[next] += 5;
    xmp_sync_all(NULL);
    EXPECT(table[0] == 10 * me + 5);
    xmp_sync_all(NULL);
    m[1][k - me:2]:[next] = a[0:2];
    xmp_sync_all(NULL);
    int before = (me + n - 1) % n;
    EXPECT(m[1][0] == 1 + 10 * ((before + 1) % n) && m[1][2] == 6);
    EXPECT(pick(table, k - me + 2) == 2 + 10 * me);
    int* where = &table[k - me];
    EXPECT(*where == 10 * me + 5);
    while (k:[me] < me + 3) k++;
    do k--; while (k > me);
    EXPECT(k == me && !(k:[me] != me) && -k:[me] == -me);
    xmp_sync_all(NULL);
    double d[3] = {1, 2, 3}, e[3];
    e[:] = d[:] * q.w:[next] + k:[next];
    EXPECT(e[2] == 1.5 + next);
    return failures != 0;
}
