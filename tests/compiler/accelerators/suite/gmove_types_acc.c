/* SPDX-License-Identifier: Apache-2.0 */
/* gmove acc between element types: numbers are converted as C's assignment does. */
#include <stdio.h>
#include <xmp.h>
#define N 24
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic] onto p
int a[N];
double d[N];
float f[N];
short h[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align d[i] with t[i]
#pragma xmp align f[i] with c[i]
#pragma xmp align h[i] with c[i]
#pragma xmp shadow a[1]
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}
int main(void) {
    int w = 0;
    double l[N], x = 0;
    for (int i = 0; i < N; i++) l[i] = -i - 0.5;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = i, d[i] = i + 0.75;
#pragma xmp loop on c[i]
    for (int i = 0; i < N; i++) f[i] = 0, h[i] = -3;
#pragma acc enter data copyin(a, d, f, h, l, x)
#pragma xmp gmove acc
    f[:] = a[:];
#pragma xmp gmove acc
    h [2:8] = d [4:8];
#pragma xmp gmove acc
    a [0:4] = l [0:4];
#pragma xmp gmove acc
    x = a[N - 1];
#pragma xmp gmove acc
    l [0:6:2] = h [2:6];
#pragma acc exit data copyout(a, d, f, h, l, x)
#pragma xmp loop on c[i] reduction(+ : w)
    for (int i = 0; i < N; i++) w += f[i] != i || h[i] != (i >= 2 && i < 10 ? i + 2 : -3);
    check(w, "float and short from int and double");
    w = 0;
#pragma xmp loop on t[i] reduction(+ : w)
    for (int i = 0; i < N; i++) w += a[i] != (i < 4 ? -i : i);
    check(w, "int from double");
    check(x != N - 1, "a scalar");
    w = 0;
    for (int i = 0; i < N; i++) w += l[i] != (i < 12 && i % 2 == 0 ? i / 2 + 4 : -i - 0.5);
    check(w, "a step");
#pragma acc enter data copyin(a)
#pragma xmp gmove acc(a)
    d[:] = a[:];
    w = 0;
#pragma acc exit data delete (a)
#pragma xmp loop on t[i] reduction(+ : w)
    for (int i = 0; i < N; i++) w += d[i] != (i < 4 ? -i : i);
    check(w, "one side");
    return failures != 0;
}
