/* SPDX-License-Identifier: Apache-2.0 */
/* Library: sort of gblock into cyclic, gather and scatter through index arrays, pack and unpack with masks, matmul of unequal shapes. */
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp nodes g2[*][1]
#define N 23
#define M 9
#define K 5
int g16[16];
#pragma xmp template tn[N]
#pragma xmp distribute tn[block] onto p
#pragma xmp template tc[N]
#pragma xmp distribute tc[cyclic(2)] onto p
#pragma xmp template tm[M][K]
#pragma xmp distribute tm[cyclic][block] onto g2
#pragma xmp template tq[K][N]
#pragma xmp distribute tq[block][cyclic(3)] onto g2
#pragma xmp template tr[M][N]
#pragma xmp distribute tr[block][block] onto g2
float v[N], w[N];
int idx[N], got[N]; bool mask[N];
double A[M][K], B[K][N], C[M][N];
#pragma xmp align v[i] with tn[i]
#pragma xmp align w[i] with tc[i]
#pragma xmp align idx[i] with tn[i]
#pragma xmp align got[i] with tc[i]
#pragma xmp align mask[i] with tn[i]
#pragma xmp align A[i][j] with tm[i][j]
#pragma xmp align B[i][j] with tq[i][j]
#pragma xmp align C[i][j] with tr[i][j]
int main(void) {
    int bad = 0;
#pragma xmp loop on tn[i]
    for (int i = 0; i < N; i++) { v[i] = (i * 9) % N; idx[i] = (i * 4) % N; mask[i] = i % 3 == 1; }
    xmp_sort_up(xmp_desc_of(w), xmp_desc_of(v));
#pragma xmp loop on tc[i]
    for (int i = 0; i < N; i++) bad += w[i] != i;
    xmp_sort_down(xmp_desc_of(w), xmp_desc_of(v));
#pragma xmp loop on tc[i]
    for (int i = 0; i < N; i++) bad += w[i] != N - 1 - i;
    int line = bad; 
#pragma xmp loop (i, j) on tm[i][j]
    for (int i = 0; i < M; i++) for (int j = 0; j < K; j++) A[i][j] = i - j;
#pragma xmp loop (i, j) on tq[i][j]
    for (int i = 0; i < K; i++) for (int j = 0; j < N; j++) B[i][j] = i * j;
    xmp_matmul(xmp_desc_of(C), xmp_desc_of(A), xmp_desc_of(B));
#pragma xmp loop (i, j) on tr[i][j]
    for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) { double s = 0; for (int k = 0; k < K; k++) s += (i - k) * (k * j); bad += C[i][j] != s; }
    float big[N];
#pragma xmp loop on tc[i]
    for (int i = 0; i < N; i++) w[i] = 100 + i;
    xmp_gather(xmp_desc_of(v), xmp_desc_of(w), xmp_desc_of(idx));
#pragma xmp loop on tn[i]
    for (int i = 0; i < N; i++) bad += v[i] != 100 + (i * 4) % N;
    xmp_scatter(xmp_desc_of(w), xmp_desc_of(v), xmp_desc_of(idx));
#pragma xmp gmove
    big[:] = w[:];
    for (int i = 0; i < N; i++) bad += big[i] != 100 + i;
    xmp_pack(xmp_desc_of(w), xmp_desc_of(v), xmp_desc_of(mask));
#pragma xmp gmove
    big[:] = w[:];
    for (int i = 1, k = 0; i < N; i += 3, k++) bad += big[k] != 100 + (i * 4) % N;
    (void)line; (void)got;
#pragma xmp reduction (+:bad)
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
