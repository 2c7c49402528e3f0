// SPDX-License-Identifier: Apache-2.0
// Every directive that has a clause acc, as the specification shows them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c)                                                                                                                      \
    do {                                                                                                                           \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c);                  \
    } while (0)
#define N 64
#define K 21
int a[N], b[N], sum = 10;
#pragma xmp template t[N]
#pragma xmp nodes p[*]
#pragma xmp distribute t[block] onto p
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp shadow a[1]
int s1;
int main(void) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = -i;
    }
#pragma acc enter data copyin(a [0:K])
#pragma acc exit data delete (a [0:K])
#pragma acc data copy(b)
    {
#pragma acc parallel loop copy(a, b)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) {
            b[i] = a[i] + 1;
        }
    }
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) CK(b[i] == i + 1);
#pragma acc parallel loop copy(a, sum) reduction(+ : sum)
#pragma xmp loop on t[i] reduction(+ : sum) acc
    for (int i = 0; i < N; i++) {
        sum += a[i];
    }
    CK(sum == 10 + N * (N - 1) / 2);
    sum = 10;
#pragma xmp loop on t[i] reduction(+ : sum) acc
#pragma acc parallel loop copy(a, sum) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        sum += a[i];
    }
    CK(sum == 10 + N * (N - 1) / 2);
#pragma acc enter data copyin(a)
#pragma xmp reflect(a) acc
#pragma xmp reflect_init(a) acc
#pragma xmp reflect_do(a) acc
#pragma xmp reflect(a) width(1) orthogonal async(3) acc
#pragma xmp wait_async(3) acc
#pragma xmp reflect_init(a) width(/ periodic / 1 : 1) orthogonal async(5) acc
#pragma xmp reflect_do(a) async(5) acc
#pragma xmp wait_async(5) on p acc
#pragma acc exit data copyout(a)
#pragma acc enter data copyin(a, b)
#pragma xmp gmove acc
    a[:] = b[:];
#pragma xmp gmove acc(b)
    a[:] = b[:];
#pragma acc update host(a)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) CK(a[i] == i + 1);
#pragma xmp gmove async(2) acc
    a [0:N / 2] = b [N / 2:N / 2];
#pragma xmp wait_async(2) acc
#pragma acc update self(a [0:N / 2])
#pragma acc exit data delete (a, b)
#pragma xmp barrier acc
#pragma xmp barrier on p acc
#pragma xmp barrier on t[0 : N] acc
    s1 = xmp_node_num();
#pragma acc enter data copyin(s1)
#pragma xmp reduction(+ : s1) acc
#pragma acc update host(s1)
    CK(s1 == xmp_num_nodes() * (xmp_num_nodes() + 1) / 2);
    s1 = 1;
#pragma acc update device(s1)
#pragma xmp reduction(+ : s1) acc async(1)
#pragma xmp wait_async(1) acc
#pragma acc update host(s1)
    CK(s1 == xmp_num_nodes());
    s1 = xmp_node_num();
#pragma acc update device(s1)
#pragma xmp bcast(s1) acc
#pragma acc update host(s1)
    CK(s1 == 1);
    s1 = xmp_node_num();
#pragma acc update device(s1)
#pragma xmp bcast(s1) from p[xmp_num_nodes() - 1] on p async(9) acc
#pragma xmp wait_async(9) acc
#pragma acc update host(s1)
    CK(s1 == xmp_num_nodes());
    return bad;
}
