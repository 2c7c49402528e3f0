/* SPDX-License-Identifier: Apache-2.0 */
/* Overlap: several reflects in flight, peel_and_wait, margin, expand, wait_async in another function, test_async, async reductions and broadcasts between. */
#include <stdio.h>
#include <xmp.h>
#define N 32
#define M 24
#pragma xmp nodes p[*][*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][block] onto p
static double u[N][M], v[N][M], q[N][M];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align v[i][j] with t[i][j]
#pragma xmp align q[i][j] with t[i][j]
#pragma xmp shadow u[1][1]
#pragma xmp shadow v[2:1][0:2]
#pragma xmp shadow q[1][1]
static void done(int k) {
#pragma xmp wait_async (k, k + 1)
}
int main(void) {
    int bad = 0;
#pragma xmp loop (i, j) on t[i][j]
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) { u[i][j] = i * M + j; v[i][j] = i - j; q[i][j] = 0; }
    for (int turn = 0; turn < 4; turn++) {
        int sum = 1, from = turn;
#pragma xmp reflect (u) async(turn * 10)
#pragma xmp reflect (v) width(1:1, 0:2) async(turn * 10 + 1)
#pragma xmp reduction (+:sum) async(77)
#pragma xmp bcast (from) from p[0][0] async(78)
        (void)xmp_test_async(77);
        done(turn * 10);
#pragma xmp wait_async (77, 78)
        bad += sum != xmp_num_nodes() || from != turn;
#pragma xmp reflect (u) async(5)
#pragma xmp loop (i, j) on t[i][j] peel_and_wait(5, -1, -1)
        for (int i = 1; i < N - 1; i++) for (int j = 1; j < M - 1; j++) q[i][j] = u[i - 1][j - 1] + u[i + 1][j + 1] - 2 * u[i][j];
#pragma xmp loop (i, j) on t[i][j] reduction(+:bad)
        for (int i = 1; i < N - 1; i++) for (int j = 1; j < M - 1; j++) bad += q[i][j] != 0;
#pragma xmp loop (i, j) on t[i][j] expand(0:1, 0)
        for (int i = 0; i < N - 1; i++) for (int j = 0; j < M; j++) q[i][j] = v[i][j];
#pragma xmp loop (i, j) on t[i][j] margin(1:1, 0)
        for (int i = 1; i < N - 1; i++) for (int j = 0; j < M; j++) q[i][j] += 0.5;
#pragma xmp loop (i, j) on t[i][j]
        for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) { u[i][j] += 1; q[i][j] = 0; }
    }
#pragma xmp reduction (+:bad)
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
/* RANKS: 1 2 4 6 8 16 */
