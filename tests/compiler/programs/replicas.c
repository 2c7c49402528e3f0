/* SPDX-License-Identifier: Apache-2.0 */
/* reduction and bcast of arrays of which several nodes have copies. */
#include <stdio.h>
#include <xmp.h>

enum { N = 12, M = 8 };

static int rows(void) {
    return xmp_all_num_nodes() % 2 == 0 ? 2 : 1;
}
static int columns(void) {
    return xmp_all_num_nodes() / rows();
}

#pragma xmp nodes g[rows()][columns()]
#pragma xmp template t[N][M]
#pragma xmp distribute t[cyclic][block] onto g
double a[N][M], w[N], x[2][M];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align w[i] with t[i][*]
#pragma xmp align x[*][j] with t[*][j]
#pragma xmp shadow x[0][1]

int main(void) {
    int failures = 0, row = -1;
    xmpc_nodes_index(xmp_desc_of(g), 2, &row);
#pragma xmp loop (i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) a[i][j] = 10 * i + j;
    /* Each node adds its part of a row, then those of the row are added. */
#pragma xmp loop (i) on t[i][*]
    for (int i = 0; i < N; i++) {
        double sum = 0;
#pragma xmp loop (j) on t[i][j]
        for (int j = 0; j < M; j++) sum += a[i][j];
        w[i] = sum;
    }
#pragma xmp reduction(+ : w) on t[*][:]
#pragma xmp loop (i) on t[i][*]
    for (int i = 0; i < N; i++) failures += w[i] != 10 * M * i + M * (M - 1) / 2;
    if (failures) printf("node %d: sums of rows\n", xmp_node_num());
    /* From the first row of nodes to those of its column. */
#pragma xmp loop (j) on t[*][j]
    for (int j = 0; j < M; j++) {
        x[0][j] = 100 * row + j;
        x[1][j] = -j;
    }
#pragma xmp bcast(x) from g[0][*] on g[:][*]
#pragma xmp loop (j) on t[*][j]
    for (int j = 0; j < M; j++) failures += x[0][j] != j || x[1][j] != -j;
#pragma xmp reduction(max : x) on g[:][*] async(1)
#pragma xmp wait_async(1)
#pragma xmp loop (j) on t[*][j]
    for (int j = 0; j < M; j++) failures += x[0][j] != j;
#pragma xmp reduction(+ : failures)
    return failures != 0;
}
