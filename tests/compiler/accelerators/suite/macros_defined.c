/* SPDX-License-Identifier: Apache-2.0 */
/* What a program sees of the compiler: _XCALABLEMP, _XCALABLEACC, _OPENACC; and directives under #ifdef. */
#include <stdio.h>
#ifdef _XCALABLEMP
#include <xmp.h>
#endif
#ifdef _OPENACC
#include <openacc.h>
#endif
#define N 20
#ifdef _XCALABLEMP
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#endif
int a[N];
#ifdef _XCALABLEMP
#pragma xmp align a[i] with t[i]
#endif
#if defined(_XCALABLEACC) && !defined(_OPENACC)
#error _XCALABLEACC without _OPENACC
#endif
#if defined(_OPENACC) && _OPENACC < 201111
#error an odd _OPENACC
#endif
int main(void) {
    int wrong = 0, i;
#if _XCALABLEMP < 201000
    wrong = 1;
#endif
#ifdef _XCALABLEACC
#pragma acc enter data create(a)
    int there = acc_get_num_devices(acc_get_device_type());
    wrong += there < 1;
#endif
#ifdef _XCALABLEACC
#pragma acc parallel loop present(a)
#endif
#pragma xmp loop on t[i]
    for (i = 0; i < N; i++) a[i] = 3 * i;
#ifdef _XCALABLEACC
#pragma acc exit data copyout(a)
#endif
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (i = 0; i < N; i++) wrong += a[i] != 3 * i;
    if (wrong) printf("%d wrong\n", wrong);
    return wrong != 0;
}
