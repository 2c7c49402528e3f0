/* SPDX-License-Identifier: Apache-2.0 */
/* Irregular blocks on devices, also empty ones, and shifts of templates. */
#include <stdio.h>
#include <xmp.h>
#define N 33
int widths[8];
#pragma xmp nodes p[*]
#pragma xmp template t[ : ]
#pragma xmp distribute t[gblock(*)] onto p
#pragma xmp template s[N + 4]
#pragma xmp distribute s[block] onto p
int b[N], c[N];
int* a;
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with s[i + 2]
#pragma xmp align c[i] with s[i + 3]
#pragma xmp shadow a[1]
#pragma xmp shadow b[2]
int main(void) {
    int n = xmp_num_nodes(), left = N, w = 0;
    for (int k = 0; k < n; k++) {
        widths[k] = k == n - 1 ? left : (k % 3 == 1 ? 2 : left / 3);
        left -= widths[k];
    }
#pragma xmp template_fix[gblock(widths)] t[N]
    a = (int*)xmp_malloc(xmp_desc_of(a), N);
#pragma acc enter data create(a, b, c)
#pragma acc parallel loop present(a)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = i * i;
#pragma acc parallel loop present(b)
#pragma xmp loop on s[i + 2]
    for (int i = 0; i < N; i++) b[i] = 7 * i;
#pragma xmp reflect(a) acc
#pragma xmp reflect(b) width(2 : 1) acc
#pragma acc parallel loop present(a, b, c)
#pragma xmp loop on s[i + 3]
    for (int i = 2; i < N - 1; i++) c[i] = b[i - 1] + b[i + 1 > N - 1 ? i : i];
#pragma xmp gmove acc
    b[:] = a[:];
#pragma acc exit data copyout(a, b, c)
#pragma xmp loop on s[i + 3] reduction(+ : w)
    for (int i = 2; i < N - 1; i++) w += c[i] != 7 * (i - 1) + 7 * i;
#pragma xmp loop on s[i + 2] reduction(+ : w)
    for (int i = 0; i < N; i++) w += b[i] != i * i;
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
