/* SPDX-License-Identifier: Apache-2.0 */
/* Full shadows and reflect on the device: n-body, everybody reads all. */
#include <stdio.h>
#include <xmp.h>
#define N 24
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double x[N], f[N];
#pragma xmp align[i] with t[i] ::x, f
#pragma xmp shadow x[*]
int main(void) {
    int w = 0;
#pragma acc data create(x) copyout(f)
    {
#pragma acc parallel loop
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) x[i] = i;
        for (int step = 0; step < 2; step++) {
#pragma xmp reflect(x) acc
#pragma acc parallel loop gang
#pragma xmp loop on t[i]
            for (int i = 0; i < N; i++) {
                double s = 0;
#pragma acc loop vector reduction(+ : s)
                for (int j = 0; j < N; j++) s += j == i ? 0 : x[j] - x[i];
                f[i] = s;
            }
        }
    }
#pragma xmp loop on t[i] reduction(+ : w)
    for (int i = 0; i < N; i++) w += f[i] != N * (N - 1) / 2 - N * i;
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
