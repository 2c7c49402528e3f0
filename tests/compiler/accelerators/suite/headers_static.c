/* SPDX-License-Identifier: Apache-2.0 */
/* static distributed arrays inside functions, const scalars and enums as bounds, unsigned and long variables of loops. */
#include <stdio.h>
#include <xmp.h>
enum { N = 30 };
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
static unsigned long sum_of(int again) {
    static long a[N];
#pragma xmp align a[i] with t[i]
    unsigned long s = 0;
    int const from = 3;
    if (!again) {
#pragma acc enter data create(a)
    }
#pragma acc parallel loop present(a)
#pragma xmp loop on t[i]
    for (unsigned i = 0; i < N; ++i) a[i] = again ? a[i] + 1 : i;
#pragma xmp loop on t[i] reduction(+ : s)
#pragma acc parallel loop present(a) reduction(+ : s)
    for (long i = from; i <= N - 1; i += 1) s += (unsigned long)a[i];
    return s;
}
int main(void) {
    unsigned long one = sum_of(0), two = sum_of(1), three = sum_of(2), e = N * (N - 1) / 2 - 3;
    if (one != e || two != e + N - 3 || three != e + 2 * (N - 3)) {
        printf("wrong: %lu %lu %lu\n", one, two, three);
        return 1;
    }
    return 0;
}
