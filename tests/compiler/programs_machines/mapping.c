/* SPDX-License-Identifier: Apache-2.0 */
/* Which rank a node is on two machines of four ranks: blocks, the order of ranks, and what faces cost. Results do not depend on it.
 */
#include <stdio.h>
#include <xmp.h>

enum { N = 24 };

#pragma xmp nodes blocks[2][4]
#pragma xmp nodes rows[2][4] mapping[1][4]
#pragma xmp nodes order(4, 2) mapping(order)
#pragma xmp nodes columns(4, 2) mapping(1, 4)
#pragma xmp nodes line[*]
#pragma xmp nodes part[2][2] = blocks[ : ][1 : 2]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][block] onto blocks
#pragma xmp template s[N][N]
#pragma xmp distribute s[block][cyclic] onto columns
double u[N][N], v[N][N];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align v[i][j] with s[i][j]
#pragma xmp shadow u[1][1]

static int failures;

static void stands(xmp_desc_t nodes, int first, int second, char const* what) {
    int row = -1, column = -1;
    xmpc_nodes_index(nodes, 2, &row);
    xmpc_nodes_index(nodes, 1, &column);
    if (row != first || column != second)
        printf("node %d is [%d][%d] of %s, not [%d][%d]\n", xmp_node_num(), row, column, what, first, second);
    failures += row != first || column != second;
}

int main(void) {
    int const rank = xmpc_all_node_num(), machine = rank / 4, one = rank % 4;
    int place = -1;
    stands(xmp_desc_of(blocks), one / 2, 2 * machine + one % 2, "blocks");
    stands(xmp_desc_of(rows), machine, one, "rows, whose last dimension stays within machines");
    stands(xmp_desc_of(columns), one / 2, 2 * machine + one % 2, "columns, whose first one does");
    stands(xmp_desc_of(order), machine, one, "order");
    xmpc_nodes_index(xmp_desc_of(line), 1, &place);
    failures += place != rank;
    int const in_part = one % 2 == 1 ? machine == 0 : machine == 1;
    if (in_part) stands(xmp_desc_of(part), one / 2, machine, "part");
    /* Halos, reductions and gmove between grids in other orders. */
    double full[N][N], sum = 0;
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) u[i][j] = i * N + j;
#pragma xmp reflect(u)
#pragma xmp loop(i, j) on t[i][j] reduction(+ : sum)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            sum += u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * (i * N + j) + u[i + 1][j + 1];
    double want = 0;
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) want += (i + 1) * N + j + 1;
    failures += sum != want;
#pragma xmp gmove
    v[:][:] = u[:][:];
#pragma xmp gmove
    full[:][:] = v[:][:];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) failures += full[i][j] != i * N + j;
    if (failures) printf("node %d: %d mistakes\n", xmp_node_num(), failures);
#pragma xmp reduction(+ : failures)
    return failures != 0;
}
