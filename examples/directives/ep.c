/* SPDX-License-Identifier: Apache-2.0 */
/* NAS Parallel Benchmarks, EP: pairs of random numbers, and how many of them are normally distributed where. Class S; W with
 * -DM=25. Each node has its own part of the sequence, and all that is communicated are three sums. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>

#ifndef M
#define M 24
#endif
#define PAIRS 65536 /* in a batch */
enum { BATCHES = (1 << M) / PAIRS };

#pragma xmp nodes p[*]
#pragma xmp template t[BATCHES]
#pragma xmp distribute t[block] onto p

/* x -> a x mod 2^46; returns x / 2^46. */
static double next(unsigned long long* x, unsigned long long a) {
    unsigned long long const mask = (1ULL << 46) - 1;
    *x = (unsigned long long)((unsigned __int128)a * *x & mask);
    return (double)*x / (double)(1ULL << 46);
}

/* a to the power of n, mod 2^46. */
static unsigned long long power(unsigned long long a, unsigned long long n) {
    unsigned long long result = 1;
    for (; n > 0; n >>= 1) {
        if (n & 1) next(&result, a);
        unsigned long long const b = a;
        next(&a, b);
    }
    return result;
}

int main(void) {
    unsigned long long const a = 1220703125; /* 5^13 */
    double sx = 0, sy = 0;
    long counts[10] = {0};
    double const started = xmp_wtime();
#pragma xmp loop on t[k] reduction(+ : sx, sy, counts)
    for (int k = 0; k < BATCHES; k++) {
        unsigned long long seed = 271828183;
        next(&seed, power(a, 2ULL * PAIRS * (unsigned long long)k));
        for (int i = 0; i < PAIRS; i++) {
            double const x = 2 * next(&seed, a) - 1, y = 2 * next(&seed, a) - 1, s = x * x + y * y;
            if (s > 1) continue;
            double const f = sqrt(-2 * log(s) / s), gx = x * f, gy = y * f;
            counts[(int)fmax(fabs(gx), fabs(gy))]++;
            sx += gx;
            sy += gy;
        }
    }
    double const seconds = xmp_wtime() - started;
    double const right_x = M == 24 ? -3.247834652034740e+3 : -2.863319731645753e+3;
    double const right_y = M == 24 ? -6.958407078382297e+3 : -6.320053679109499e+3;
    int const good = fabs((sx - right_x) / right_x) < 1e-8 && fabs((sy - right_y) / right_y) < 1e-8;
#pragma xmp task on p[0]
    printf("EP, 2^%d pairs, %d nodes: %.2f s, sums %.12e %.12e: %s\n", M, xmp_all_num_nodes(), seconds, sx, sy,
           good ? "verified" : "WRONG");
    return !good;
}
