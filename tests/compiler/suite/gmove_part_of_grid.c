/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks on rows, columns and corners of a grid of nodes move parts of arrays that all nodes have. */
#include <stdio.h>
#include <xmp.h>
#define N 12
#define M 10
#pragma xmp nodes p[*][2]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][cyclic] onto p
static int a[N][M], b[N][M], r[N], c[M];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with t[i][j]
#pragma xmp align r[i] with t[i][*]
#pragma xmp align c[j] with t[*][j]
#pragma xmp shadow a[1][0]
static int bad;
#define EXPECT(x) do { if (!(x)) { printf("line %d on %d\n", __LINE__, xmp_all_node_num()); bad++; } } while (0)
int main(void) {
    int const rows = xmp_num_nodes() / 2, w = (N + rows - 1) / rows;
#pragma xmp loop (i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) { a[i][j] = 100 * i + j; b[i][j] = 0; }
#pragma xmp loop on t[i][*]
    for (int i = 0; i < N; i++) r[i] = -1;
#pragma xmp loop on t[*][j]
    for (int j = 0; j < M; j++) c[j] = -2;
    /* the first row of nodes */
#pragma xmp task on p[0][:]
    {
        int line[M], col[N];
#pragma xmp gmove
        line[:] = a[w - 1][:];
        for (int j = 0; j < M; j++) EXPECT(line[j] == 100 * (w - 1) + j);
#pragma xmp gmove
        b[0][:] = a[w - 1][M - 1:M:-1];
#pragma xmp gmove
        col[0:w] = a[0:w][3];
        for (int i = 0; i < w; i++) EXPECT(col[i] == 100 * i + 3);
#pragma xmp gmove
        r[0:w] = a[0:w][5];
#pragma xmp gmove
        b[0:1][0:M] = line[:];
#pragma xmp gmove
        b[0][0:M] = a[w - 1][M - 1:M:-1];
    }
    /* the second column of nodes: odd columns */
#pragma xmp task on p[:][1]
    {
        int odd[N][M / 2];
#pragma xmp gmove
        odd[:][:] = a[:][1:M / 2:2];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M / 2; j++) EXPECT(odd[i][j] == 100 * i + 2 * j + 1);
#pragma xmp gmove
        b[1:N - 1][1:M / 2:2] = a[0:N - 1][1:M / 2:2];
#pragma xmp gmove
        c[1:M / 2:2] = a[4][1:M / 2:2];
    }
    int all[N][M], v[N], u[M];
#pragma xmp gmove
    all[:][:] = b[:][:];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            EXPECT(all[i][j] == (i == 0 ? 100 * (w - 1) + M - 1 - j : j % 2 == 1 ? 100 * (i - 1) + j : 0));
    /* every node has its copies */
#pragma xmp loop on t[i][*]
    for (int i = 0; i < N; i++) EXPECT(r[i] == (i < w ? 100 * i + 5 : -1));
    int mine = 0, one = 0;
#pragma xmp loop (j) on t[*][j]
    for (int j = 0; j < M; j++) EXPECT(j % 2 == 0 ? c[j] == -2 : c[j] == 400 + j);
#pragma xmp reduction(+:bad)
    return bad != 0;
}
/* RANKS: 2 4 6 8 16 */
