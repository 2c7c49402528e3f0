/* SPDX-License-Identifier: Apache-2.0 */
/* Queues of the device beside asynchronous communication: acc wait, wait_async acc, barrier acc, acc wait(1) async(2). */
#include <stdio.h>
#include <xmp.h>
#define N 30
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N], b[N], c[N];
#pragma xmp align[i] with t[i] ::a, b, c
#pragma xmp shadow[1] ::a, b
int main(void) {
    int w = 0, s = 0;
#pragma acc data create(a, b, c)
    {
#pragma acc parallel loop present(a) async(1)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] = i;
#pragma xmp loop on t[i]
#pragma acc kernels loop present(b) async(2)
        for (int i = 0; i < N; i++) b[i] = 2 * i;
#pragma acc wait(1, 2)
#pragma xmp reflect(a) width(1) async(10) acc
#pragma xmp reflect(b) width(1) async(11) acc
#pragma acc parallel loop present(c) async(3)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) c[i] = 5;
#pragma xmp wait_async(10, 11) acc
#pragma xmp barrier acc
#pragma acc parallel loop present(a, b, c) async(3)
#pragma xmp loop on t[i]
        for (int i = 1; i < N - 1; i++) c[i] += a[i - 1] + b[i + 1];
#pragma acc wait(3) async(4)
#pragma acc update self(c) async(4)
#pragma acc wait
    }
#pragma xmp loop on t[i] reduction(+ : w)
    for (int i = 0; i < N; i++) w += c[i] != (i == 0 || i == N - 1 ? 5 : 5 + i - 1 + 2 * i + 2);
#pragma acc enter data copyin(c) async(6)
#pragma acc parallel loop present(c) async(6) reduction(+ : s)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) s += c[i] > 0;
#pragma acc wait(6)
#pragma xmp reduction(+ : s)
#pragma acc exit data delete (c)
    if (w || s != N) printf("%d wrong, %d\n", w, s);
    return w || s != N;
}
