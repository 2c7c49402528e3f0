/* SPDX-License-Identifier: Apache-2.0 */
/* NAS Parallel Benchmarks, CG: the smallest eigenvalue of a sparse matrix, by conjugate gradients. Class S; W with -DNA=7000
 * -DNONZER=8 -DSHIFT=12. Rows are distributed; what a row is multiplied with is gathered by gmove before each product. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

#ifndef NA
#define NA 1400
#define NONZER 7
#define SHIFT 10
#endif
enum { ITERATIONS = 15, INNER = 25, WIDTH = NONZER + 1 };

#pragma xmp nodes p(*)
#pragma xmp template t(0 : NA - 1)
#pragma xmp distribute t(block) onto p
static double x[NA], z[NA], along[NA], q[NA], r[NA];
#pragma xmp align[i] with t(i)::x, z, along, q, r

static double whole[NA]; /* of a vector, on each node */
static int first[NA + 1];
static int* columns;
static double* values;

static double random_number(double* seed) {
    unsigned long long const mask = (1ULL << 46) - 1;
    unsigned long long const s = (unsigned long long)((unsigned __int128)1220703125ULL * (unsigned long long)*seed & mask);
    *seed = (double)s;
    return (double)s / (double)(1ULL << 46);
}

/* The sum of outer products of sparse random vectors; each node keeps its rows. */
static void make_matrix(void) {
    static double v[NA][WIDTH];
    static int at[NA][WIDTH], length[NA], mine[NA], used[NA];
    double seed = 314159265;
    random_number(&seed);
    int bits = 1;
    while (bits < NA) bits *= 2;
    for (int k = 0; k < NA; k++) {
        int n = 0;
        while (n < NONZER) {
            double const value = random_number(&seed);
            int const i = (int)(bits * random_number(&seed));
            if (i >= NA || used[i] == k + 1) continue;
            used[i] = k + 1;
            v[k][n] = value;
            at[k][n++] = i;
        }
        int own = 0;
        while (own < n && at[k][own] != k) own++;
        v[k][own] = 0.5;
        at[k][own] = k;
        length[k] = own == n ? n + 1 : n;
    }
#pragma xmp loop on t(i)
    for (int i = 0; i < NA; i++) mine[i] = 1;
    for (int pass = 0; pass < 2; pass++) { /* counts, then fills */
        double size = 1;
        double const ratio = pow(0.1, 1. / NA);
        for (int k = 0; k < NA; k++) {
            for (int c = 0; c < length[k]; c++)
                for (int e = 0; e < length[k]; e++) {
                    int const row = at[k][e], column = at[k][c];
                    if (!mine[row]) continue;
                    if (pass == 0) {
                        first[row + 1]++;
                        continue;
                    }
                    double value = v[k][e] * (size * v[k][c]);
                    if (row == k && column == k) value += 0.1 - SHIFT;
                    columns[first[row]] = column;
                    values[first[row]++] = value;
                }
            size *= ratio;
        }
        if (pass == 0) {
            for (int i = 0; i < NA; i++) first[i + 1] += first[i];
            columns = malloc((size_t)first[NA] * sizeof *columns);
            values = malloc((size_t)first[NA] * sizeof *values);
        }
    }
    for (int i = NA; i > 0; i--) first[i] = first[i - 1];
    first[0] = 0;
}

static double conjugate_gradients(void) {
    double rho = 0;
#pragma xmp loop on t(i) reduction(+ : rho)
    for (int i = 0; i < NA; i++) {
        z[i] = 0;
        r[i] = along[i] = x[i];
        rho += r[i] * r[i];
    }
    for (int k = 0; k < INNER; k++) {
        double d = 0, before = rho;
#pragma xmp gmove
        whole[:] = along[:];
#pragma xmp loop on t(i) reduction(+ : d)
        for (int i = 0; i < NA; i++) {
            double sum = 0;
            for (int e = first[i]; e < first[i + 1]; e++) sum += values[e] * whole[columns[e]];
            q[i] = sum;
            d += along[i] * sum;
        }
        double const alpha = rho / d;
        rho = 0;
#pragma xmp loop on t(i) reduction(+ : rho)
        for (int i = 0; i < NA; i++) {
            z[i] += alpha * along[i];
            r[i] -= alpha * q[i];
            rho += r[i] * r[i];
        }
        double const beta = rho / before;
#pragma xmp loop on t(i)
        for (int i = 0; i < NA; i++) along[i] = r[i] + beta * along[i];
    }
    return sqrt(rho);
}

int main(void) {
    make_matrix();
    double zeta = 0, started = 0;
    for (int k = -1; k < ITERATIONS; k++) {
        if (k <= 0) { /* the first one is for practice */
            started = xmp_wtime();
#pragma xmp loop on t(i)
            for (int i = 0; i < NA; i++) x[i] = 1;
        }
        conjugate_gradients();
        double xz = 0, zz = 0;
#pragma xmp loop on t(i) reduction(+ : xz, zz)
        for (int i = 0; i < NA; i++) {
            xz += x[i] * z[i];
            zz += z[i] * z[i];
        }
        zeta = SHIFT + 1 / xz;
#pragma xmp loop on t(i)
        for (int i = 0; i < NA; i++) x[i] = z[i] / sqrt(zz);
    }
    double const seconds = xmp_wtime() - started, right = NA == 1400 ? 8.5971775078648 : 10.362595087124;
    int const good = fabs(zeta - right) < 1e-10;
#pragma xmp task on p(1)
    printf("CG, %d rows, %d nodes: %.2f s, zeta %.13f: %s\n", NA, xmp_all_num_nodes(), seconds, zeta, good ? "verified" : "WRONG");
    return !good;
}
