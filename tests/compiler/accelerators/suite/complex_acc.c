/* SPDX-License-Identifier: Apache-2.0 */
/* Complex, long long, unsigned char and bool elements on the device: halos, sums, moves. */
#include <complex.h>
#include <stdbool.h>
#include <stdio.h>
#include <xmp.h>
#define N 16
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double complex z[N], y[N];
long long l[N];
unsigned char c[N];
bool odd[N];
#pragma xmp align[i] with t[i] ::z, y, l, c, odd
#pragma xmp shadow[1] ::z, c, l
int main(void) {
    int w = 0;
    double complex s = 0;
#pragma acc data copyout(y, l, odd) create(z, c)
    {
#pragma acc parallel loop
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) {
            z[i] = i + 2.0 * i * I;
            c[i] = (unsigned char)(i + 250);
            l[i] = (1ll << 40) + i;
            odd[i] = i % 2;
        }
#pragma xmp reflect(z, c) width(/ periodic / 1) acc
#pragma acc parallel loop
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) {
            y[i] = z[i - 1] * z[i + 1];
            l[i] += c[i + 1];
        }
#pragma xmp gmove acc
        z [0:4] = y [8:4];
#pragma acc update self(z [0:4])
    }
#pragma xmp loop on t[i] reduction(+ : w, s)
    for (int i = 0; i < N; i++) {
        int a = (i + N - 1) % N, b = (i + 1) % N;
        w += y[i] != (a + 2.0 * a * I) * (b + 2.0 * b * I) || l[i] != (1ll << 40) + i + (unsigned char)(b + 250) ||
             odd[i] != (i % 2 == 1);
        s += y[i];
    }
    int v = 0;
#ifdef _XCALABLEACC
#pragma xmp loop on t[i] reduction(+ : v)
    for (int i = 0; i < 4; i++) {
        int a = (i + 7) % N, b = (i + 9) % N;
        v += z[i] != (a + 2.0 * a * I) * (b + 2.0 * b * I);
    }
#endif
    if (w + v) printf("%d %d wrong\n", w, v);
    return w + v != 0;
}
