/* SPDX-License-Identifier: Apache-2.0 */
/* Data that one function puts on the device and others use: present, present_or_copy, no data clause, nested regions, if(0). */
#include <stdio.h>
#include <xmp.h>
#define N 15
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N], b[N];
#pragma xmp align[i] with t[i] ::a, b
static void implicit(void) {
#pragma xmp loop on t[i]
#pragma acc parallel loop
    for (int i = 0; i < N; i++) a[i] += 1;
}
static void pcopy_both(void) {
#pragma acc data pcopy(a) present_or_create(b)
    {
#pragma acc parallel loop pcopy(a, b)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) b[i] = a[i];
    }
}
static void conditional(int there) {
#pragma acc data copy(a) if (there)
    {
#pragma acc parallel loop if (there)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] *= 2;
    }
}
int main(void) {
    int w = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = i, b[i] = 0;
    implicit();
#pragma acc enter data copyin(a)
#pragma acc enter data copyin(a)
    implicit();
#pragma acc data create(b)
    {
        pcopy_both();
#pragma acc update self(b)
    }
#pragma acc exit data delete (a)
    implicit();
#pragma acc exit data copyout(a)
    conditional(0);
    conditional(1);
#pragma xmp loop on t[i] reduction(+ : w)
    for (int i = 0; i < N; i++) w += b[i] != i + 2 || a[i] != 4 * (i + 3);
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
