/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of R. Himeno's benchmark: Jacobi relaxation of the pressure's Poisson equation in general curvilinear coordinates, 19
   points, 34 operations. Written from its published formula, with two pressure arrays instead of a copy back. */
#include "stencil/plain_kernels.h"

/* One point, from p to q; the square of its change. I and J are the distances of neighbours in i and j. */
static inline __attribute__((always_inline)) float relax(struct plain_himeno const* h, float const* p, float* q, long I, long J,
                                                         long at) {
    float const s = h->a[0][at] * p[at + I] + h->a[1][at] * p[at + J] + h->a[2][at] * p[at + 1] +
                    h->b[0][at] * (p[at + I + J] - p[at + I - J] - p[at - I + J] + p[at - I - J]) +
                    h->b[1][at] * (p[at + J + 1] - p[at - J + 1] - p[at + J - 1] + p[at - J - 1]) +
                    h->b[2][at] * (p[at + I + 1] - p[at - I + 1] - p[at + I - 1] + p[at - I - 1]) + h->c[0][at] * p[at - I] +
                    h->c[1][at] * p[at - J] + h->c[2][at] * p[at - 1] + h->wrk[at];
    float const d = (s * h->a[3][at] - p[at]) * h->bnd[at];
    q[at] = p[at] + 0.8f * d;
    return d * d;
}

static inline __attribute__((always_inline)) double planes(struct plain_himeno const* h, int now, long from, long to, long n) {
    long const rows = n + 1, row = 2 * n + 1; /* padded */
    long const I = rows * row, J = row;
    struct plain_himeno const local = *h;
    float const* const p = local.p[now];
    float* const q = local.p[1 - now];
    /* One sum would chain all points. Eight of them are faster than what gcc makes of `omp simd reduction`, or of a row of squares.
     */
    enum { lanes = 8 };
    double gosa[lanes] = {0};
    for (long i = from; i < to; ++i)
        for (long j = 1; j < n - 1; ++j) {
            long at = i * I + j * J + 1;
            long const end = at + 2 * n - 2;
            for (; at + lanes <= end; at += lanes) {
/* Else gcc vectorises nothing: so many arrays are too many to check for overlap. */
#pragma omp simd
                for (int l = 0; l < lanes; ++l) gosa[l] += relax(&local, p, q, I, J, at + l);
            }
            for (int l = 0; at < end; ++l, ++at) gosa[l] += relax(&local, p, q, I, J, at);
        }
    double sum = 0;
    for (int l = 0; l < lanes; ++l) sum += gosa[l];
    return sum;
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
