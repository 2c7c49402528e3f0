/* SPDX-License-Identifier: Apache-2.0 */
/* STREAM: four loops over long vectors, which need no communication. */
#include <stdio.h>
#include <xmp.h>

#ifndef LENGTH
#define LENGTH 4000000
#endif
enum { TIMES = 5 };
#pragma xmp nodes p[*]
#pragma xmp template t[LENGTH]
#pragma xmp distribute t[block] onto p
static double a[LENGTH], b[LENGTH], c[LENGTH];
#pragma xmp align[i] with t[i] ::a, b, c

int main(void) {
    double const s = 3;
    double best[4] = {1e9, 1e9, 1e9, 1e9};
#pragma xmp loop on t[i]
    for (long i = 0; i < LENGTH; i++) {
        a[i] = 2;
        b[i] = 2;
        c[i] = 0;
    }
    for (int k = 0; k < TIMES; k++) {
        double at[5];
#pragma xmp barrier
        at[0] = xmp_wtime();
#pragma xmp loop on t[i]
        for (long i = 0; i < LENGTH; i++) c[i] = a[i];
        at[1] = xmp_wtime();
#pragma xmp loop on t[i]
        for (long i = 0; i < LENGTH; i++) b[i] = s * c[i];
        at[2] = xmp_wtime();
#pragma xmp loop on t[i]
        for (long i = 0; i < LENGTH; i++) c[i] = a[i] + b[i];
        at[3] = xmp_wtime();
#pragma xmp loop on t[i]
        for (long i = 0; i < LENGTH; i++) a[i] = b[i] + s * c[i];
        at[4] = xmp_wtime();
        for (int n = 0; n < 4; n++)
            if (at[n + 1] - at[n] < best[n]) best[n] = at[n + 1] - at[n];
    }
    double x = 2, y = 2, z = 0;
    for (int k = 0; k < TIMES; k++) {
        z = x;
        y = s * z;
        z = x + y;
        x = y + s * z;
    }
    long wrong = 0;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (long i = 0; i < LENGTH; i++) wrong += a[i] != x || b[i] != y || c[i] != z;
#pragma xmp reduction(max : best)
    static char const* const names[] = {"copy", "scale", "add", "triad"};
    static int const vectors[] = {2, 2, 3, 3};
#pragma xmp task on p[0]
    {
        for (int n = 0; n < 4; n++) printf("%-6s %8.2f GB/s\n", names[n], 1e-9 * vectors[n] * LENGTH * sizeof(double) / best[n]);
        printf("STREAM, %d elements, %d nodes: %s\n", LENGTH, xmp_all_num_nodes(), wrong == 0 ? "verified" : "WRONG");
    }
    return wrong != 0;
}
