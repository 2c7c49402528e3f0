/* SPDX-License-Identifier: Apache-2.0 */
/* FLAGS: -fsode-check */
/* Checked loops that reach into halos: two steps for one exchange, the middle while a halo is on its way, the rim before the middle, nodes one after the other. None is a mistake. */
#include <stdio.h>
#include <xmp.h>
#include <math.h>
#define N 30
#define M 12
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
double u[N][M], v[N][M], w[N][M];
#pragma xmp align [i][j] with t[i][j] :: u, v, w
#pragma xmp shadow [2][0] :: u, v
static double R[3][N][M];
int main(void) {
    int bad = 0;
#pragma xmp loop on t[i][*]
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) { u[i][j] = i * i + j; v[i][j] = -1; }
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) { R[0][i][j] = i * i + j; R[1][i][j] = -1; }
    for (int s = 0; s < 4; s++) {
        /* two steps for one exchange: the first one also in the halo */
#pragma xmp reflect (u)
#pragma xmp loop (i) on t[i][*] expand(1, 0)
        for (int i = 1; i < N - 1; i++) for (int j = 1; j < M - 1; j++) v[i][j] = u[i - 1][j] + u[i + 1][j] - u[i][j - 1];
#pragma xmp loop (i) on t[i][*]
        for (int i = 2; i < N - 2; i++) for (int j = 1; j < M - 1; j++) w[i][j] = v[i - 1][j] + v[i + 1][j];
        for (int i = 1; i < N - 1; i++) for (int j = 1; j < M - 1; j++) R[1][i][j] = R[0][i - 1][j] + R[0][i + 1][j] - R[0][i][j - 1];
        for (int i = 2; i < N - 2; i++) for (int j = 1; j < M - 1; j++) R[2][i][j] = R[1][i - 1][j] + R[1][i + 1][j];
#pragma xmp loop (i) on t[i][*] reduction(+:bad)
        for (int i = 2; i < N - 2; i++) for (int j = 1; j < M - 1; j++) bad += fabs(w[i][j] - R[2][i][j]) > 1e-9;
        /* overlap */
#pragma xmp reflect (u) async(7)
#pragma xmp loop (i) on t[i][*] peel_and_wait(7, -2, 0)
        for (int i = 2; i < N - 2; i++) for (int j = 0; j < M; j++) w[i][j] = u[i - 2][j] + u[i + 2][j];
#pragma xmp loop (i) on t[i][*] reduction(+:bad)
        for (int i = 2; i < N - 2; i++) for (int j = 0; j < M; j++) bad += fabs(w[i][j] - R[0][i - 2][j] - R[0][i + 2][j]) > 1e-9;
        /* rim first, then the middle */
#pragma xmp loop (i) on t[i][*] margin(-1, 0)
        for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) u[i][j] *= 0.5;
#pragma xmp reflect (u) width(1, 0) async(8)
#pragma xmp loop (i) on t[i][*] expand(-1, 0)
        for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) u[i][j] *= 0.5;
#pragma xmp wait_async(8)
        for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) R[0][i][j] *= 0.5;
#pragma xmp loop (i) on t[i][*] reduction(+:bad)
        for (int i = 1; i < N - 1; i++) for (int j = 0; j < M; j++) bad += fabs(u[i - 1][j] + u[i + 1][j] - R[0][i - 1][j] - R[0][i + 1][j]) > 1e-9;
    }
    /* wavefront: in order of nodes */
    for (int k = 0; k < xmp_num_nodes(); k++) {
#pragma xmp reflect (u) width(1:0, 0)
        if (xmpc_node_num() == k) {
#pragma xmp task on p[k] nocomm
            {
#pragma xmp loop (i) on t[i][*]
                for (int i = 1; i < N; i++) for (int j = 0; j < M; j++) u[i][j] += 0.5 * u[i - 1][j];
            }
        }
    }
    for (int i = 1; i < N; i++) for (int j = 0; j < M; j++) R[0][i][j] += 0.5 * R[0][i - 1][j];
#pragma xmp loop (i) on t[i][*] reduction(+:bad)
    for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) bad += fabs(u[i][j] - R[0][i][j]) > 1e-9;
    return bad != 0;
}
