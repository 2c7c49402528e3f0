// SPDX-License-Identifier: Apache-2.0
// Coarrays of devices in host_data.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c)                                                                                                                      \
    do {                                                                                                                           \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c);                  \
    } while (0)
#define N 16
int a[N] : [*];
int b[N];
#pragma acc declare create(a, b)
int main(void) {
    int n = xmp_num_images(), me = xmpc_this_image(), r = (me + 1) % n, l = (me + n - 1) % n;
    for (int i = 0; i < N; i++) {
        a[i] = 100 * me + i;
        b[i] = 1000 * me + i;
    }
#pragma acc update device(a, b)
    xmp_sync_all(NULL);
#pragma acc host_data use_device(a, b)
    a[:] : [r] = b[:];
    xmp_sync_all(NULL);
#pragma acc host_data use_device(a)
    b[:] = a[:] : [r];
    for (int i = 0; i < N; i++) CK(b[i] == 1000 * me + i);
#pragma acc host_data use_device(a)
    {
        b [0:4] = a [0:4:2] : [l];
        b[8] = a[3] : [l];
    }
    CK(b[1] == 1000 * ((l + n - 1) % n) + 2);
    CK(b[8] == 1000 * ((l + n - 1) % n) + 3);
#pragma acc update host(a)
    CK(a[N - 1] == 1000 * l + N - 1);
    xmp_sync_all(NULL);
    return bad;
}
