/* SPDX-License-Identifier: Apache-2.0 */
/* Laplace's equation on a square, each rank's part on a GPU: the step after laplace with overlap of the tutorial of directives.
 *
 *     sode cc -acc -O2 laplace_gpu.c -lm -o laplace_gpu                       GPUs, by gcc -fopenacc
 *     sode cc -acc --device=stand-in laplace_gpu.c -lm -o laplace_gpu         no GPU
 *     sode run -n 4 ./laplace_gpu
 *
 * The solution is x y, which the five-point formula has exactly: what is left is the error of the iteration. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>

#define N 64
#define STEPS 12000
#pragma xmp nodes p[*]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][*] onto p
static double u[N][N], next[N][N];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align next[i][j] with t[i][j]
#pragma xmp shadow u[1][0]

int main(void) {
    double const h = 1.0 / (N - 1);
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) u[i][j] = i % (N - 1) == 0 || j % (N - 1) == 0 ? i * h * (j * h) : 0;

            /* The arrays stay on the device from here on. */
#pragma acc data copy(u) create(next)
    {
#pragma xmp reflect_init(u) acc
        for (int step = 0; step < STEPS; step++) {
#pragma xmp reflect_do(u) acc /* only the halos leave the device */
#pragma xmp loop(i, j) on t[i][j]
#pragma acc parallel loop collapse(2) present(u, next)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++) next[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma xmp loop(i, j) on t[i][j]
#pragma acc parallel loop collapse(2) present(u, next)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++) u[i][j] = next[i][j];
        }
    }
    double error = 0;
#pragma xmp loop(i, j) on t[i][j] reduction(max : error)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) error = fmax(error, fabs(u[i][j] - i * h * (j * h)));
    if (xmp_node_num() == 1) printf("%d nodes, largest error %.1e\n", xmp_num_nodes(), error);
    return error < 1e-6 ? 0 : 1;
}
