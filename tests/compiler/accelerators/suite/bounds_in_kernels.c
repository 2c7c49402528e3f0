/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of inner loops that get their values in the construct: indices of outer loops, variables of it. */
#include <stdio.h>
#include <xmp.h>
#define N 14
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N][N];
#pragma xmp align a[*][j] with t[j]
int main(void) {
    int i, j, w = 0;
#pragma acc data copyout(a)
    {
#pragma acc parallel loop private(j)
        for (i = 0; i < N; i++) {
#pragma xmp loop on t[j]
            for (j = 0; j < N; j++) a[i][j] = 0;
        }
#pragma acc parallel private(j)
        {
#pragma acc loop gang
            for (i = 0; i < N; i++) {
#pragma xmp loop on t[j]
                for (j = 0; j < i; j++) a[i][j] = 1;
            }
        }
#pragma acc parallel loop private(j)
        for (i = 0; i < N; i++) {
            int most = i / 2 + 1, least = most / 2;
#pragma xmp loop on t[j]
            for (j = least; j < most; j++) a[i][j] += 10;
        }
    }
#pragma xmp loop on t[j] reduction(+ : w)
    for (j = 0; j < N; j++)
        for (int i = 0; i < N; i++) w += a[i][j] != (j < i) + (j < i / 2 + 1 && j >= (i / 2 + 1) / 2 ? 10 : 0);
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
