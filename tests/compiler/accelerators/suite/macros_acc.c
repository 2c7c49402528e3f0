/* SPDX-License-Identifier: Apache-2.0 */
/* Directives of OpenACC and XcalableMP from macros and _Pragma, continued lines, comments in them. */
#include <stdio.h>
#include <xmp.h>
#define N 28
#define ARRAYS a, b
#define WIDTH 1
#define DO(x) _Pragma(#x)
#define ON_GRID DO(xmp loop on t[i])
#define ON_DEVICE DO(acc parallel loop present(ARRAYS))
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N], b[N];
#pragma xmp align[i] with t[i] ::ARRAYS
#pragma xmp shadow a[WIDTH]
#define FILL(v, e) ON_GRID ON_DEVICE for (int i = 0; i < N; i++) v[i] = (e)
int main(void) {
    int w = 0;
#pragma acc enter data create(ARRAYS) /* both */
    FILL(a, 2 * i);
    FILL(b, 0);
#pragma xmp reflect(a) width(WIDTH) acc // on the device
    ON_DEVICE
    ON_GRID
    for (int i = WIDTH; i < N - WIDTH; i++) b[i] = a[i - WIDTH] + a[i + WIDTH];
    DO(acc update self(b))
    DO(acc exit data delete (ARRAYS))
#pragma xmp loop on t[i] reduction(+ : w)
    for (int i = 0; i < N; i++) w += b[i] != (i < WIDTH || i >= N - WIDTH ? 0 : 4 * i);
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
