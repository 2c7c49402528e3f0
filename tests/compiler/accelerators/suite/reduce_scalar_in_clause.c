/* SPDX-License-Identifier: Apache-2.0 */
/* The sum of a loop in an explicit copy clause, in a data region, and more than one loop that adds to it. */
#include <stdio.h>
#include <xmp.h>
#define N 50
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N];
#pragma xmp align a[i] with t[i]
int main(void) {
    int s = 0, i, n = 0, wrong = 0;
    double r = 0;
#pragma xmp loop on t[i]
    for (i = 0; i < N; i++) a[i] = i;
#pragma xmp loop on t[i] reduction(+ : s)
#pragma acc parallel loop copyin(a) copy(s) reduction(+ : s)
    for (i = 0; i < N; i++) s += a[i];
    wrong += s != N * (N - 1) / 2;
#pragma acc data copyin(a) copy(s)
    {
#pragma acc parallel loop reduction(+ : s) present(s)
#pragma xmp loop on t[i] reduction(+ : s) acc
        for (i = 0; i < N; i++) s += a[i];
#pragma acc parallel loop reduction(+ : s) present(s)
#pragma xmp loop on t[i] reduction(+ : s) acc
        for (i = 0; i < N; i++) s += 1;
    }
    wrong += 2 * (s != N * (N - 1) + N);
#pragma acc data copyin(a)
    {
#pragma acc parallel loop reduction(+ : n, r)
#pragma xmp loop on t[i] reduction(+ : n, r)
        for (i = 0; i < N; i++) {
            n++;
            r += 0.5 * a[i];
        }
    }
    wrong += 4 * (n != N || r != 0.25 * N * (N - 1));
    if (wrong) printf("wrong %d: s %d n %d r %g\n", wrong, s, n, r);
    return wrong != 0;
}
