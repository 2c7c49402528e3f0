/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of R. Himeno's benchmark: Jacobi relaxation of the pressure's Poisson equation in general curvilinear coordinates, 19
   points, 34 operations. Written from its published formula, with two pressure arrays instead of a copy back. */
#include "stencil/plain_kernels.h"

static inline __attribute__((always_inline)) double planes(struct plain_himeno const* h, int now, long from, long to, long n) {
    long const rows = n + 1, row = 2 * n + 1; /* padded */
    float const* restrict const p = h->p[now];
    float* restrict const q = h->p[1 - now];
    float const* restrict const a0 = h->a[0];
    float const* restrict const a1 = h->a[1];
    float const* restrict const a2 = h->a[2];
    float const* restrict const a3 = h->a[3];
    float const* restrict const b0 = h->b[0];
    float const* restrict const b1 = h->b[1];
    float const* restrict const b2 = h->b[2];
    float const* restrict const c0 = h->c[0];
    float const* restrict const c1 = h->c[1];
    float const* restrict const c2 = h->c[2];
    float const* restrict const bnd = h->bnd;
    float const* restrict const wrk = h->wrk;
    double gosa = 0;
    long const I = rows * row, J = row;
    for (long i = from; i < to; ++i)
        for (long j = 1; j < n - 1; ++j) {
/* Else gcc vectorises nothing here: so many arrays are too many to check for overlap, and the sum would have to stay in order. */
#pragma omp simd reduction(+ : gosa)
            for (long k = 1; k < 2 * n - 1; ++k) {
                long const at = i * I + j * J + k;
                float const s = a0[at] * p[at + I] + a1[at] * p[at + J] + a2[at] * p[at + 1] +
                                b0[at] * (p[at + I + J] - p[at + I - J] - p[at - I + J] + p[at - I - J]) +
                                b1[at] * (p[at + J + 1] - p[at - J + 1] - p[at + J - 1] + p[at - J - 1]) +
                                b2[at] * (p[at + I + 1] - p[at - I + 1] - p[at + I - 1] + p[at - I - 1]) + c0[at] * p[at - I] +
                                c1[at] * p[at - J] + c2[at] * p[at - 1] + wrk[at];
                float const d = (s * a3[at] - p[at]) * bnd[at];
                q[at] = p[at] + 0.8f * d;
                gosa += d * d;
            }
        }
    return gosa;
}

double plain_himeno_sweep(struct plain_himeno const* h, int now, long from, long to) {
    switch (h->n) {
    case 32: return planes(h, now, from, to, 32);
    case 64: return planes(h, now, from, to, 64);
    case 128: return planes(h, now, from, to, 128);
    case 256: return planes(h, now, from, to, 256);
    default: return planes(h, now, from, to, h->n);
    }
}
