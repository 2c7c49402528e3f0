/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif

/* The stencils as plain C has them: flat arrays, sizes known at compile time for the usual problems. What Sode's loops are measured
   against. */

/* One Jacobi step of the 5-point Laplace equation for rows [from, to) of an n x n plate. */
void plain_laplace(long n, long from, long to, double const* now, double* next);

/* Himeno's problem, n x n x 2n; the arrays are padded by one in each dimension, as the benchmark's own are. */
struct plain_himeno {
    long n;
    float* p[2]; /* pressure now and next */
    float *a[4], *b[3], *c[3];
    float *bnd, *wrk;
};
/* One Jacobi sweep of the 19-point Poisson kernel for planes [from, to), from p[now] to p[1 - now]; the sum of the squared changes.
 */
double plain_himeno_sweep(struct plain_himeno const* h, int now, long from, long to);

/* One step of bench/tiles/problems.hpp's heat, wave and water for layers [from, to). A row has n elements and a few of padding; a
   layer of heat or wave is n rows, one of water is a row of depths and two of momenta. */
enum { plain_padding = 8 };
void plain_heat(long n, long from, long to, double const* now, double* next);
void plain_wave(long n, long from, long to, double const* now, double* next);
void plain_water(long n, long from, long to, double const* now, double* next);

#ifdef __cplusplus
}
#endif
