/* SPDX-License-Identifier: Apache-2.0 */
/* Loops with steps up and down, bounds from functions and other loops, triangles, `on` with offsets and constants, in all formats. */
#include <stdio.h>
#include <xmp.h>
#define N 37
#pragma xmp nodes p[*]
#pragma xmp template tb[0:N]
#pragma xmp template tc[0:N]
#pragma xmp template tk[-3:N+6]
#pragma xmp distribute tb[block(9)] onto p
#pragma xmp distribute tc[cyclic] onto p
#pragma xmp distribute tk[cyclic(4)] onto p
long a[N], b[N], c[N];
#pragma xmp align a[i] with tb[i]
#pragma xmp align b[i] with tc[i]
#pragma xmp align c[i] with tk[i+1]
static int calls;
static int limit(int n) { calls++; return n; }
static int bad;
static void same(long const *x, int line) {
    (void)x; (void)line;
}
int main(void) {
#pragma xmp loop on tb[i]
    for (int i = 0; i < N; i++) a[i] = 0;
#pragma xmp loop on tc[i]
    for (int i = N - 1; i >= 0; --i) b[i] = 0;
#pragma xmp loop on tk[i+1]
    for (int i = 0; i != N; i++) c[i] = 0;
    long ref[N] = {0}, x[N];
#pragma xmp loop on tb[i]
    for (int i = 1; i < limit(N); i += 3) a[i] += i;
    for (int i = 1; i < N; i += 3) ref[i] += i;
    for (int k = 0; k < N; k += 5) {
#pragma xmp loop on tb[i]
        for (int i = k; i <= N - 1; i += 2) a[i] += k;
        for (int i = k; i <= N - 1; i += 2) ref[i] += k;
#pragma xmp loop on tc[i]
        for (int i = k; i <= N - 1; i++) b[i] += k;
#pragma xmp loop on tk[i + 1]
        for (int i = N - 1; i > k; i--) c[i] += k;
    }
#pragma xmp loop on tb[i]
    for (int i = N - 1; i > 3; i -= 7) a[i] *= 2;
    for (int i = N - 1; i > 3; i -= 7) ref[i] *= 2;
#pragma xmp gmove
    x[:] = a[:];
    for (int i = 0; i < N; i++) if (x[i] != ref[i]) bad++, printf("a[%d] %ld %ld\n", i, x[i], ref[i]);
#pragma xmp gmove
    x[:] = b[:];
    for (int i = 0; i < N; i++) { long w = 0; for (int k = 0; k < N; k += 5) if (i >= k) w += k; bad += x[i] != w; }
#pragma xmp gmove
    x[:] = c[:];
    for (int i = 0; i < N; i++) { long w = 0; for (int k = 0; k < N; k += 5) if (i > k) w += k; bad += x[i] != w; }
    long total = 0;
    unsigned char u;
#pragma xmp loop on tb[u] reduction(+:total)
    for (u = 0; u < N; u++) total += u;
    if (total != N * (N - 1) / 2) bad++, printf("u %ld\n", total);
    size_t z; total = 0;
#pragma xmp loop on tc[z] reduction(+:total)
    for (z = 0; z < N; z++) total += z;
    if (total != N * (N - 1) / 2) bad++, printf("z %ld\n", total);
    long long q; total = 0;
#pragma xmp loop on tk[q - 3] reduction(+:total)
    for (q = 0; q < 20; ++q) total += q;
    if (total != 190) bad++, printf("q %ld\n", total);
    same(x, 3);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
/* RANKS: 5 6 8 16 */
