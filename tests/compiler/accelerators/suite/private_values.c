/* SPDX-License-Identifier: Apache-2.0 */
/* private, firstprivate, default(none), default(present), arrays that are not distributed beside those that are. */
#include <stdio.h>
#include <xmp.h>
#define N 26
#define K 5
#pragma xmp nodes p[*]
#pragma xmp template t[0 : N]
#pragma xmp distribute t[block] onto p
double a[N], b[N];
int table[K] = {1, 2, 3, 4, 5};
#pragma xmp align[i] with t[i] ::a, b
int main(void) {
    double scale = 3.0, tmp = -1, box[K];
    int w = 0, shift = 4, count[K] = {0};
#pragma acc enter data create(a, b) copyin(table)
#pragma xmp loop on t[i]
#pragma acc parallel loop private(tmp, box) firstprivate(scale, shift) default(none) present(a, b, table)
    for (int i = 0; i < N; i++) {
        tmp = scale * i;
        for (int k = 0; k < K; k++) box[k] = tmp + table[k];
        a[i] = box[i % K];
        b[i] = shift;
    }
#ifdef _XCALABLEACC
    if (tmp != -1) w = 1;
#endif
    if (scale != 3.0) w = 1;
#pragma acc parallel loop default(present) firstprivate(shift)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        shift += i;
        b[i] += shift - i;
    }
#pragma acc parallel loop default(present) copy(count)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
#pragma acc atomic update
        count[i % K] += 1;
    }
#pragma acc exit data copyout(a, b) delete (table)
#pragma xmp reduction(+ : count)
    for (int k = 0; k < K; k++) w += count[k] != N / K + (k < N % K);
#pragma xmp loop on t[i] reduction(+ : w)
    for (int i = 0; i < N; i++) w += a[i] != 3.0 * i + i % K + 1;
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
