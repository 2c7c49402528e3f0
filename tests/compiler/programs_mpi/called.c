/* SPDX-License-Identifier: Apache-2.0 */
/* What a program of MPI, called_main.c, calls: a function with directives. */
#include <xmp.h>

enum { N = 24 };

#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N];
#pragma xmp align a[i] with t[i]

double sum_to(int n) {
    double s = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = i;
#pragma xmp loop on t[i] reduction(+ : s)
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
