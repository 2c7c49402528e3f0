/* SPDX-License-Identifier: Apache-2.0 */
/* The stencils of time tiles, as plain C has them. Rows are padded, so that planes of a power of two do not share cache sets. */
#include "stencil/plain_kernels.h"

#include <math.h>

#define INLINE static inline __attribute__((always_inline))

INLINE void heat(long n, long from, long to, double const* restrict a, double* restrict b) {
    long const J = n + plain_padding, I = n * J;
    for (long i = from; i < to; ++i)
        for (long j = 1; j < n - 1; ++j)
            for (long at = i * I + j * J + 1, end = at + n - 2; at < end; ++at)
                b[at] = 0.4 * a[at] + 0.1 * (a[at - I] + a[at + I] + a[at - J] + a[at + J] + a[at - 1] + a[at + 1]);
}

void plain_heat(long n, long from, long to, double const* now, double* next) {
    if (n == 256)
        heat(256, from, to, now, next);
    else
        heat(n, from, to, now, next);
}

INLINE double pairs(double const* a, long at, long I, long J, long K) {
    return a[at - I] + a[at + I] + a[at - J] + a[at + J] + a[at - K] + a[at + K];
}

INLINE void wave(long n, long from, long to, double const* restrict a, double* restrict b) {
    double const c0 = -205.0 / 72, c1 = 8.0 / 5, c2 = -1.0 / 5, c3 = 8.0 / 315, c4 = -1.0 / 560, courant = 0.1;
    long const J = n + plain_padding, I = n * J;
    for (long i = from; i < to; ++i)
        for (long j = 4; j < n - 4; ++j)
            for (long at = i * I + j * J + 4, end = at + n - 8; at < end; ++at) {
                double const laplacian = 3 * c0 * a[at] + c1 * pairs(a, at, I, J, 1) + c2 * pairs(a, at, 2 * I, 2 * J, 2) +
                                         c3 * pairs(a, at, 3 * I, 3 * J, 3) + c4 * pairs(a, at, 4 * I, 4 * J, 4);
                b[at] = 2 * a[at] - b[at] + courant * laplacian;
            }
}

void plain_wave(long n, long from, long to, double const* now, double* next) {
    if (n == 192)
        wave(192, from, to, now, next);
    else
        wave(n, from, to, now, next);
}

struct state {
    double h, u, v; /* depth, momentum along and across */
};

INLINE struct state flux(struct state l, struct state r) {
    double const g = 9.81, ul = l.u / l.h, ur = r.u / r.h;
    double const fl = fabs(ul) + sqrt(g * l.h), fr = fabs(ur) + sqrt(g * r.h), fastest = fl < fr ? fr : fl;
    struct state const f = {0.5 * (l.u + r.u - fastest * (r.h - l.h)),
                            0.5 * (l.u * ul + 0.5 * g * l.h * l.h + r.u * ur + 0.5 * g * r.h * r.h - fastest * (r.u - l.u)),
                            0.5 * (l.v * ul + r.v * ur - fastest * (r.v - l.v))};
    return f;
}

void plain_water(long n, long from, long to, double const* now, double* next) {
    long const U = n + plain_padding, V = 2 * U, I = 3 * U;
    double const ratio = 0.05;
    for (long i = from; i < to; ++i) {
        double const* const h = now + i * I;
        double* restrict const b = next + i * I;
#pragma omp simd
        for (long j = 1; j < n - 1; ++j) {
            struct state const here = {h[j], h[U + j], h[V + j]}, west = {h[j - 1], h[U + j - 1], h[V + j - 1]},
                               east = {h[j + 1], h[U + j + 1], h[V + j + 1]};
            /* Across, the momenta change roles. */
            struct state const turned = {here.h, here.v, here.u}, south = {h[j - I], h[V + j - I], h[U + j - I]},
                               north = {h[j + I], h[V + j + I], h[U + j + I]};
            struct state const w = flux(west, here), e = flux(here, east), s = flux(south, turned), t = flux(turned, north);
            b[j] = here.h - ratio * (e.h - w.h + t.h - s.h);
            b[U + j] = here.u - ratio * (e.u - w.u + t.v - s.v);
            b[V + j] = here.v - ratio * (e.v - w.v + t.u - s.u);
        }
    }
}
