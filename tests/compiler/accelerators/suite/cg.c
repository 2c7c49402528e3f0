/* SPDX-License-Identifier: Apache-2.0 */
/* Conjugate gradients of a tridiagonal matrix: reductions in kernels and over nodes, halos, scalars in and out of data clauses.
 */
#include <math.h>
#include <stdio.h>
#include <xmp.h>
#define N 60
#pragma xmp nodes nodes_[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto nodes_
double x[N], r[N], p[N], q[N], f[N];
#pragma xmp align[i] with t[i] ::x, r, p, q, f
#pragma xmp shadow[1] ::p, x
static double dot(double u[N], double v[N]) {
#pragma xmp align u[i] with t[i]
#pragma xmp align v[i] with t[i]
    double sum = 0.0;
#pragma xmp loop on t[i] reduction(+ : sum)
#pragma acc parallel loop present(u, v) reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += u[i] * v[i];
    return sum;
}
static void axpy(double s, double u[N], double v[N]) {
#pragma xmp align[i] with t[i] ::u, v
#pragma acc kernels loop present(u, v)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) v[i] += s * u[i];
}
int main(void) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) f[i] = (i % 5) - 1.0;
#pragma acc enter data create(x, r, p, q) copyin(f)
#pragma acc parallel loop present(x, r, p, f)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        x[i] = 0;
        r[i] = p[i] = f[i];
    }
    double rho = dot(r, r);
    int steps = 0;
    while (sqrt(rho) > 1e-10 && steps < 200) {
#pragma xmp reflect(p) acc
#pragma acc parallel loop present(p, q)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) {
            double left = i > 0 ? p[i - 1] : 0, right = i < N - 1 ? p[i + 1] : 0;
            q[i] = 2.5 * p[i] - left - right;
        }
        double alpha = rho / dot(p, q);
        axpy(alpha, p, x);
        axpy(-alpha, q, r);
        double old = rho;
        rho = dot(r, r);
        double beta = rho / old;
#pragma xmp loop on t[i]
#pragma acc parallel loop present(p, r) firstprivate(beta)
        for (int i = 0; i < N; i++) p[i] = r[i] + beta * p[i];
        steps++;
    }
#pragma acc exit data copyout(x) delete (r, p, q, f)
#pragma xmp reflect(x)
    double worst = 0;
#pragma xmp loop on t[i] reduction(MAX : worst)
    for (int i = 0; i < N; i++) {
        double e = fabs(2.5 * x[i] - (i > 0 ? x[i - 1] : 0) - (i < N - 1 ? x[i + 1] : 0) - f[i]);
        if (e > worst) worst = e;
    }
    if (worst > 1e-8 || steps >= 200) {
        printf("wrong: %g after %d\n", worst, steps);
        return 1;
    }
    return 0;
}
