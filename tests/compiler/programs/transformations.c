/* SPDX-License-Identifier: Apache-2.0 */
/* Functions on whole arrays, of several mappings: transpose, matmul, gather, scatter, pack, unpack, sort. */
#include <stdio.h>
#include <xmp.h>

#define M 11
#define K 7
#define N 13
#pragma xmp nodes p[*]
#pragma xmp nodes g[*][*]
#pragma xmp template tx[M][N]
#pragma xmp template ta[M][K]
#pragma xmp template tb[K][N]
#pragma xmp template line[40]
#pragma xmp template spread[40]
#pragma xmp distribute tx[block][cyclic(2)] onto g
#pragma xmp distribute ta[*][block] onto p
#pragma xmp distribute tb[cyclic][block] onto g
#pragma xmp distribute line[block] onto p
#pragma xmp distribute spread[cyclic(3)] onto p
static double x[M][N], a[M][K], b[K][N], turned[N][M];
static float small[K][M], back[M][K];
static short sx[M][N], sa[M][K], sb[K][N];
static long v[40], w[40], sorted[40];
static int index1[40], index2[40], mask[40], picked[40], grid_mask[M][N], packed[40];
static int table[M][N];
#pragma xmp align x[i][j] with tx[i][j]
#pragma xmp align sx[i][j] with tx[i][j]
#pragma xmp align table[i][j] with tx[i][j]
#pragma xmp align grid_mask[i][j] with tx[i][j]
#pragma xmp align turned[j][i] with tx[i][j]
#pragma xmp align a[i][k] with ta[i][k]
#pragma xmp align sa[i][k] with ta[i][k]
#pragma xmp align back[i][k] with ta[i][k]
#pragma xmp align small[k][i] with ta[i][k]
#pragma xmp align b[k][j] with tb[k][j]
#pragma xmp align sb[k][j] with tb[k][j]
#pragma xmp shadow a[0][1]
#pragma xmp shadow small[1][0]
#pragma xmp align v[i] with line[i]
#pragma xmp align w[i] with spread[i]
#pragma xmp align sorted[i] with line[i]
#pragma xmp align index1[i] with line[i]
#pragma xmp align index2[i] with line[i]
#pragma xmp align picked[i] with line[i]
#pragma xmp align mask[i] with spread[i]
#pragma xmp align packed[i] with spread[i]

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
        failures++;
    }
}

int main(void) {
    int wrong = 0;
#pragma xmp loop(i, k) on ta[i][k]
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++) {
            a[i][k] = i + 2 * k;
            sa[i][k] = (short)(i + 2 * k);
        }
#pragma xmp loop(k, j) on tb[k][j]
    for (int k = 0; k < K; k++)
        for (int j = 0; j < N; j++) {
            b[k][j] = 3 * k - j;
            sb[k][j] = (short)(3 * k - j);
        }
    xmp_matmul(x[:][:], a[:][:], b[:][:]);
    xmp_matmul(xmp_desc_of(sx), xmp_desc_of(sa), xmp_desc_of(sb));
#pragma xmp loop(i, j) on tx[i][j] reduction(+ : wrong)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < K; k++) sum += (i + 2 * k) * (double)(3 * k - j);
            wrong += x[i][j] != sum || sx[i][j] != (short)sum;
        }
    expect(wrong == 0, "matmul");
    xmp_transpose(turned[:][:], x[:][:], 0);
    wrong = 0;
#pragma xmp loop(i, j) on tx[i][j] reduction(+ : wrong)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) wrong += turned[j][i] != x[i][j];
    expect(wrong == 0, "transpose");
#pragma xmp loop(i, k) on ta[i][k]
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++) small[k][i] = (float)(100 * i + k);
    xmp_transpose(xmp_desc_of(back), xmp_desc_of(small), 1);
    wrong = 0;
#pragma xmp loop(i, k) on ta[i][k] reduction(+ : wrong)
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++) wrong += back[i][k] != (float)(100 * i + k);
    expect(wrong == 0, "transpose of an array with a shadow");

#pragma xmp loop on line[i]
    for (int i = 0; i < 40; i++) {
        v[i] = (i * 17) % 40 - 20;
        index1[i] = (i * 3) % M;
        index2[i] = (i * 5) % N;
    }
#pragma xmp loop(i, j) on tx[i][j]
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            table[i][j] = i * N + j;
            grid_mask[i][j] = (i * N + j) % 4 == 1;
        }
    xmp_sort_up(sorted[:], v[:]);
    wrong = 0;
#pragma xmp loop on line[i] reduction(+ : wrong)
    for (int i = 0; i < 40; i++) wrong += sorted[i] != i - 20;
    expect(wrong == 0, "sort_up");
    xmp_sort_down(w[:], v[:]);
    wrong = 0;
#pragma xmp loop on spread[i] reduction(+ : wrong)
    for (int i = 0; i < 40; i++) wrong += w[i] != 19 - i;
    expect(wrong == 0, "sort_down, to another mapping");

    xmp_gather(picked[:], table[:][:], index1[:], index2[:]);
    wrong = 0;
#pragma xmp loop on line[i] reduction(+ : wrong)
    for (int i = 0; i < 40; i++) wrong += picked[i] != (i * 3) % M * N + (i * 5) % N;
    expect(wrong == 0, "gather");
#pragma xmp loop on line[i]
    for (int i = 0; i < 40; i++) picked[i] = 1000 + i;
    xmp_scatter(table[:][:], picked[:], index1[:], index2[:]);
    wrong = 0;
#pragma xmp loop(i, j) on tx[i][j] reduction(+ : wrong)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int now = i * N + j;
            for (int k = 0; k < 40; k++)
                if ((k * 3) % M == i && (k * 5) % N == j) now = 1000 + k;
            wrong += table[i][j] != now;
            table[i][j] = i * N + j;
        }
    expect(wrong == 0, "scatter");

    xmp_pack(packed[:], table[:][:], grid_mask[:][:]);
    wrong = 0;
#pragma xmp loop on spread[i] reduction(+ : wrong)
    for (int i = 0; i < 40; i++) wrong += i < (M * N + 2) / 4 && packed[i] != 4 * i + 1;
    expect(wrong == 0, "pack with a mask");
#pragma xmp loop on spread[i]
    for (int i = 0; i < 40; i++) packed[i] = -i;
    xmp_unpack(table[:][:], packed[:], grid_mask[:][:]);
    wrong = 0;
#pragma xmp loop(i, j) on tx[i][j] reduction(+ : wrong)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) wrong += table[i][j] != ((i * N + j) % 4 == 1 ? -((i * N + j) / 4) : i * N + j);
    expect(wrong == 0, "unpack with a mask");
    xmp_pack(w[:], v[:]);
    xmp_unpack(sorted[:], w[:]);
    wrong = 0;
#pragma xmp loop on line[i] reduction(+ : wrong)
    for (int i = 0; i < 40; i++) wrong += sorted[i] != v[i];
    expect(wrong == 0, "pack and unpack");
    return failures != 0;
}
