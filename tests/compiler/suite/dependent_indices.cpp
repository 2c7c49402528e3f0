/* SPDX-License-Identifier: Apache-2.0 */
/* Indices whose type a template decides: arrays, coarrays, sections, gmove, loops. */
#include <cstdio>
#include <xmp.h>
constexpr int N = 17, M = 6;
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[cyclic][*] onto p
#pragma xmp template b[N][M]
#pragma xmp distribute b[block][*] onto p
static int z[N][M], y[N][M];
#pragma xmp align z[i][j] with t[i][j]
#pragma xmp align y[i][j] with b[i][j]
int co[6]:[*], cm[3][4]:[*];
template <class I> int at(I i, I j) { return z[i][j] + j[z[i]] + i[y][j]; }
template <class I> int get(I i, I k) { return co[i]:[k] + cm[i - 1][i]:[k]; }
template <class I> void put(I i, I k) { co[i]:[k] = 5; co[i + 1:2]:[k] = 7; }
template <class I> int sum(I n) {
    int s = 0;
#pragma xmp loop on t[i][*] reduction(+:s)
    for (I i = 0; i < n; ++i)
        for (I j = 0; j < M; ++j) s += z[i][j];
    return s;
}
template <class I> void line(I i, int *to) {
#pragma xmp gmove
    to[0:M] = z[i][0:M];
    int e;
#pragma xmp gmove
    e = z[i][i % M];
    to[0] += e;
}
int main() {
    int bad = 0;
#pragma xmp loop on t[i][*]
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) z[i][j] = i * 10 + j;
#pragma xmp loop on b[i][*]
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) y[i][j] = 1;
#pragma xmp task on p[0]
    bad += at(0, 3) != 7;
    bad += sum(17) != 10 * 6 * 136 + 17 * 15 || sum(17L) != sum(17);
    int v[M]; line(4, v); bad += v[0] != 40 + 44 || v[5] != 45;
    line(5L, v); bad += v[0] != 50 + 55;
    auto const f = [&](auto i) { return z[i][0] + y[0][i]; };
#pragma xmp task on p[0]
    bad += f(0) != 1;
    int me = xmpc_this_image(), n = xmp_num_images(), r = (me + 1) % n;
    for (int k = 0; k < 6; k++) co[k] = me * 10 + k;
    for (int k = 0; k < 12; k++) cm[0][k] = me * 10 + k;
    xmp_sync_all(NULL);
    bad += get(2, r) != 20 * r + 2 + 6 || get(2L, (long)r) != 20 * r + 8;
    xmp_sync_all(NULL);
    put(1, r);
    xmp_sync_all(NULL);
    bad += co[0] != 10 * me || co[1] != 5 || co[2] != 7 || co[3] != 7 || co[4] != me * 10 + 4;
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
