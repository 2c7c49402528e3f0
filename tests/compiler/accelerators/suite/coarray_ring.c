// SPDX-License-Identifier: Apache-2.0
// A stencil on a ring of devices: kernels, and coarrays between them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c)                                                                                                                      \
    do {                                                                                                                           \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c);                  \
    } while (0)
#define N 32
double u[N + 2] : [*], w[N + 2];
#pragma acc declare create(u, w)
int main(void) {
    int me = xmpc_this_image(), n = xmp_num_images(), r = (me + 1) % n, l = (me + n - 1) % n;
    for (int i = 0; i < N + 2; i++) {
        u[i] = me * N + i;
        w[i] = 0;
    }
#pragma acc update device(u, w)
    xmp_sync_all(NULL);
    for (int it = 0; it < 20; it++) {
#pragma acc host_data use_device(u)
        {
            u [0:1] : [r] = u [N:1];
            u [N + 1:1] : [l] = u [1:1];
        }
        xmp_sync_all(NULL);
#pragma acc parallel loop present(u, w)
        for (int i = 1; i <= N; i++) w[i] = (u[i - 1] + u[i] + u[i + 1]) / 3;
#pragma acc parallel loop present(u, w)
        for (int i = 1; i <= N; i++) u[i] = w[i];
        xmp_sync_all(NULL);
    }
#pragma acc update host(u)
    int M = n * N;
    double *a = calloc(M, 8), *b = calloc(M, 8);
    for (int k = 0; k < n; k++)
        for (int i = 1; i <= N; i++) a[k * N + i - 1] = k * N + i;
    for (int it = 0; it < 20; it++) {
        for (int i = 0; i < M; i++) b[i] = (a[(i + M - 1) % M] + a[i] + a[(i + 1) % M]) / 3;
        for (int i = 0; i < M; i++) a[i] = b[i];
    }
    for (int i = 1; i <= N; i++) CK(u[i] == a[me * N + i - 1]);
    free(a);
    free(b);
    return bad;
}
