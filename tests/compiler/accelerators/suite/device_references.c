// SPDX-License-Identifier: Apache-2.0
// Sets of devices: parts of others, several in one directive, the default one; layout without on_device.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c)                                                                                                                      \
    do {                                                                                                                           \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c);                  \
    } while (0)
#define N 40
int a[N], c[N], e_[N];
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp align a[i] with t[i]
#pragma xmp align c[i] with t[i]
#pragma xmp align e_[i] with t[i]
#pragma xmp shadow a[1]
#pragma acc devices d[*], d2(*)
#pragma acc devices e[1] = d[0], f(1) = d(1), g[1] = d[0 : 1], h(1) = d(1 : 1)
#pragma acc declare create(a) layout([block]) shadow([1:1]) on_device(d)
#pragma acc declare create(c) layout([block])
int main(void) {
#pragma acc devices w[1] = default[0], y[*] = default[*], z(1) = default(1 : 1)
#pragma xmp loop on t[i]
#pragma acc kernels loop layout(a[i])
    for (int i = 0; i < N; i++) {
        a[i] = i * 3;
    }
#pragma xmp reflect(a) acc
#pragma acc reflect(a)
#pragma xmp loop on t[i]
#pragma acc parallel loop layout(c[i])
    for (int i = 1; i < N - 1; i++) c[i] = a[i - 1] + a[i + 1];
#pragma acc update host(c)
#pragma xmp loop on t[i]
    for (int i = 1; i < N - 1; i++) CK(c[i] == 6 * i);
#pragma acc enter data copyin(e_) on_device(d[0])
#pragma xmp loop on t[i]
#pragma acc parallel loop on_device(d(1))
    for (int i = 0; i < N; i++) e_[i] = 7;
#pragma acc update self(e_) on_device(d [0:1])
#pragma acc exit data delete (e_)
#pragma acc barrier_device
#pragma acc barrier_device on_device(e)
#pragma acc wait on_device(d[0])
    return bad;
}
