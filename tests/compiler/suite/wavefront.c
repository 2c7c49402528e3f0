/* SPDX-License-Identifier: Apache-2.0 */
/* post and wait on nodes of two dimensions: a wavefront; barriers and reductions of rows and columns; bcast along a row. */
#include <stdio.h>
#include <xmp.h>
#pragma xmp nodes g[*][2]
int value:[*];
int main(void) {
    int rows, me0, me1, bad = 0, lead;
    int const n = xmp_num_nodes(), me = xmpc_node_num();
    rows = n / 2; me0 = me / 2; me1 = me % 2;
    value = 0;
    xmp_sync_all(NULL);
    for (int turn = 0; turn < 5; turn++) {
        if (me0 > 0) {
#pragma xmp wait (g[me0 - 1][me1], turn)
        }
        if (me1 > 0) {
#pragma xmp wait (g[me0][0], turn)
        }
        int const up = me0 > 0 ? value:[me - 2] : 1, left = me1 > 0 ? value:[me - 1] : 0;
        value = up + left;
        xmp_sync_memory(NULL);
        if (me0 < rows - 1) {
#pragma xmp post (g[me0 + 1][me1], turn)
        }
        if (me1 == 0) {
#pragma xmp post (g[me0][1], turn)
        }
        xmp_sync_all(NULL);
        bad += value != (me1 == 0 ? 1 : me0 + 2);
        xmp_sync_all(NULL);
    }
    int row = me, col = me;
#pragma xmp reduction (+:row) on g[*][:]
#pragma xmp reduction (max:col) on g[:][*]
    bad += row != 4 * me0 + 1 || col != n - 2 + me1;
#pragma xmp barrier on g[*][:]
    lead = me;
#pragma xmp bcast (lead) from g[me0][0] on g[me0][:]
    bad += lead != 2 * me0;
#pragma xmp task on g[:][1]
    {
        int s = 1;
#pragma xmp reduction (+:s)
        bad += s != rows || xmp_num_nodes() != rows || xmpc_node_num() != me0;
    }
#pragma xmp task on g[0][:]
    {
#pragma xmp nodes mine[*] = *
        int k = xmpc_node_num();
#pragma xmp bcast (k) from mine[1]
        bad += k != 1;
    }
#pragma xmp reduction (+:bad)
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
/* RANKS: 2 4 6 8 16 */
