/* SPDX-License-Identifier: Apache-2.0 */
/* declare at file scope of distributed and other arrays, scalars, and in functions; update in between. */
#include <stdio.h>
#include <xmp.h>
#define N 32
#pragma xmp nodes p(*)
#pragma xmp template t(0 : N - 1)
#pragma xmp distribute t(block) onto p
static double a[N], b[N];
float weights[4] = {1, 2, 3, 4};
#pragma xmp align a[i] with t(i)
#pragma xmp align b[i] with t(i)
#pragma xmp shadow a[1 : 1]
#pragma acc declare create(a, b)
#pragma acc declare copyin(weights)
static void local(int base) {
    int x[N], wrong = 0;
#pragma xmp align x[i] with t(i)
#pragma acc declare create(x)
#pragma acc parallel loop present(x)
#pragma xmp loop on t(i)
    for (int i = 0; i < N; i++) x[i] = base + i;
#pragma acc update host(x)
#pragma xmp loop on t(i) reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += x[i] != base + i;
    if (wrong) printf("%d wrong in local\n", wrong), xmp_exit(1);
}
int main(void) {
    int wrong = 0;
#pragma xmp loop on t(i)
    for (int i = 0; i < N; i++) a[i] = i, b[i] = 0;
#pragma acc update device(a, b)
#pragma xmp reflect(a) acc
#pragma xmp loop on t(i)
#pragma acc parallel loop
    for (int i = 1; i < N - 1; i++) b[i] = a[i - 1] * weights[1] + a[i + 1] * weights[3];
#pragma acc update self(b)
#pragma xmp loop on t(i) reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += b[i] != (i == 0 || i == N - 1 ? 0 : 2. * (i - 1) + 4. * (i + 1));
    local(3);
    local(40);
    if (wrong) printf("%d wrong\n", wrong);
    return wrong != 0;
}
