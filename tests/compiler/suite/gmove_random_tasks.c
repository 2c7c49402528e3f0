/* SPDX-License-Identifier: Apache-2.0 */
/* Pseudo-random gmoves in random tasks: sections that the task's nodes have, of arrays in block, cyclic(3) and gblock that all nodes have; a model on every node. */
#include <stdio.h>
#include <string.h>
#include <xmp.h>
#define N 48
static int w[16];
#pragma xmp nodes p[*]
#pragma xmp template tb[N]
#pragma xmp distribute tb[block] onto p
#pragma xmp template tg[:]
#pragma xmp distribute tg[gblock(*)] onto p
int a[N], *b;
#pragma xmp align a[i] with tb[i]
#pragma xmp align b[i] with tg[i]
static unsigned seed = 12345;
static int draw(int n) { seed = seed * 1664525u + 1013904223u; return (int)((seed >> 8) % (unsigned)n); }
int main(void) {
    int const n = xmp_num_nodes(), bw = (N + n - 1) / n;
    int left = N, bad = 0, ma[N], mb[N];
    for (int k = 0; k < n; k++) { w[k] = k == n - 1 ? left : (k % 2 ? bw + 1 : bw - 1); if (w[k] > left) w[k] = left; left -= w[k]; }
#pragma xmp template_fix[gblock(w)] tg[N]
    b = xmp_malloc(xmp_desc_of(b), N);
#pragma xmp loop on tb[i]
    for (int i = 0; i < N; i++) a[i] = i;
#pragma xmp loop on tg[i]
    for (int i = 0; i < N; i++) b[i] = 1000 + i;
    for (int i = 0; i < N; i++) { ma[i] = i; mb[i] = 1000 + i; }
    for (int turn = 0; turn < 60; turn++) {
        int const from = draw(n), to = from + 1 + draw(n - from);
        int alo = from * bw < N ? from * bw : N, ahi = to * bw < N ? to * bw : N, blo = 0, bhi;
        for (int k = 0; k < from; k++) blo += w[k];
        bhi = blo;
        for (int k = from; k < to; k++) bhi += w[k];
        int const most = ahi - alo < bhi - blo ? ahi - alo : bhi - blo;
        if (most < 1) continue;
        int const count = 1 + draw(most), x = alo + draw(ahi - alo - count + 1), y = blo + draw(bhi - blo - count + 1), kind = draw(5);
        int keep[N];
#pragma xmp task on p[from:to - from]
        {
            int own[N];
            if (kind == 0) {
#pragma xmp gmove
                a[x:count] = b[y:count];
            } else if (kind == 1) {
#pragma xmp gmove
                b[y:count] = a[x + count - 1:count:-1];
            } else if (kind == 2) {
#pragma xmp gmove
                own[0:count] = a[x:count];
                for (int i = 0; i < count; i++) { bad += own[i] != ma[x + i]; own[i] += 7; }
#pragma xmp gmove async(turn)
                b[y:count] = own[0:count];
#pragma xmp wait_async (turn)
            } else if (kind == 3) {
#pragma xmp gmove
                a[x:count] = turn;
            } else {
#pragma xmp gmove in
                a[x:count] = b[N - count:count];
            }
        }
        memcpy(keep, ma, sizeof keep);
        for (int i = 0; i < count; i++)
            if (kind == 0) ma[x + i] = mb[y + i];
            else if (kind == 1) mb[y + i] = keep[x + count - 1 - i];
            else if (kind == 2) mb[y + i] = keep[x + i] + 7;
            else if (kind == 3) ma[x + i] = turn;
            else ma[x + i] = mb[N - count + i];
#pragma xmp barrier
    }
    int all[N];
#pragma xmp gmove
    all[:] = a[:];
    bad += memcmp(all, ma, sizeof all) != 0;
#pragma xmp gmove
    all[0:N] = b[0:N];
    bad += memcmp(all, mb, sizeof all) != 0;
#pragma xmp reduction (+:bad)
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
