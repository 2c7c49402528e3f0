/* SPDX-License-Identifier: Apache-2.0 */
/* The directive coarray with declare create; a ring with post and wait; sync_images. */
#include <stdio.h>
#include <xmp.h>
#define N 10
#pragma xmp nodes p[*]
float u[N + 2], v[N + 2];
#pragma xmp coarray u, v : [*]
#pragma acc declare create(u, v)
int main(void) {
    int n = xmp_num_nodes(), me = xmpc_node_num(), w = 0, status;
    int right = (me + 1) % n, left = (me + n - 1) % n;
#pragma acc parallel loop present(u, v)
    for (int i = 0; i < N + 2; i++) u[i] = me * N + i, v[i] = 0;
    xmp_sync_all(&status);
    for (int step = 0; step < 4; step++) {
#pragma acc host_data use_device(u)
        {
            u[0] : [right] = u[N];
            u[N + 1] : [left] = u[1];
        }
        xmp_sync_all(&status);
#pragma acc parallel loop present(u, v)
        for (int i = 1; i <= N; i++) v[i] = u[i - 1] + u[i + 1];
#pragma acc parallel loop present(u, v)
        for (int i = 1; i <= N; i++) u[i] = v[i] * 0.5f;
        xmp_sync_all(&status);
    }
#pragma acc update host(u)
    static float x[8 * N], y[8 * N];
    for (int i = 0; i < n * N; i++) x[i] = i + 1;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < N; i++) x[k * N + i] = k * N + i + 1;
    for (int step = 0; step < 4; step++) {
        for (int i = 0; i < n * N; i++) y[i] = (x[(i + n * N - 1) % (n * N)] + x[(i + 1) % (n * N)]) * 0.5f;
        for (int i = 0; i < n * N; i++) x[i] = y[i];
    }
    for (int i = 1; i <= N; i++) w += u[i] != x[me * N + i - 1];
#pragma xmp reduction(+ : w)
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
