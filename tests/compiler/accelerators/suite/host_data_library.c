/* SPDX-License-Identifier: Apache-2.0 */
/* host_data use_device of distributed arrays: addresses for functions of devices; deviceptr; and xmp library functions with arrays
 * that were copied back. */
#include <stdio.h>
#include <xmp.h>
#define N 16
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template s[N][N]
#pragma xmp distribute s[block][*] onto p
int a[N];
double m[N][N], x[N][N], y[N][N];
#pragma xmp align a[i] with t[i]
#pragma xmp align[i][j] with s[i][j] ::m, x, y
#pragma xmp shadow a[1]
static void scale(int* v, int n, int by) {
#pragma acc parallel loop deviceptr(v)
    for (int i = 0; i < n; i++) v[i] *= by;
}
int main(void) {
    int wrong = 0, lower = 0, upper = -1;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = i + 1;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        if (upper < 0) lower = i;
        upper = i;
    }
#pragma acc data copy(a)
    {
#pragma acc host_data use_device(a)
        {
            if (upper >= 0) scale(&a[lower], upper - lower + 1, 5);
        }
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != 5 * (i + 1);
#pragma acc data copyout(m, x)
    {
#pragma acc parallel loop collapse(2)
#pragma xmp loop(i, j) on s[i][j]
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                m[i][j] = i == j ? 2 : 0;
                x[i][j] = i * N + j;
            }
    }
    xmp_matmul(xmp_desc_of(y), xmp_desc_of(m), xmp_desc_of(x));
    xmp_transpose(xmp_desc_of(m), xmp_desc_of(y), 0);
    int v = 0;
#pragma acc parallel loop collapse(2) copyin(m, y) reduction(+ : v)
#pragma xmp loop(i, j) on s[i][j] reduction(+ : v)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) v += y[i][j] != 2 * (i * N + j) || m[i][j] != 2 * (j * N + i);
    if (wrong + v) printf("%d %d wrong\n", wrong, v);
    return wrong + v != 0;
}
