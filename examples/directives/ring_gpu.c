/* SPDX-License-Identifier: Apache-2.0 */
/* Heat on a ring: each image has a piece of it on its GPU, and puts its edges into its neighbours' devices.
 *
 *     sode cc -acc -O2 ring_gpu.c -lm -o ring_gpu                       GPUs, by gcc -fopenacc
 *     sode cc -acc --device=stand-in ring_gpu.c -lm -o ring_gpu         no GPU
 *     sode run -n 4 ./ring_gpu
 *
 * A wave around the ring keeps its shape and gets smaller by the same factor in each step. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>

#define N 100 /* cells of an image; cells 0 and N + 1 are its neighbours' */
#define STEPS 200
static double u[N + 2] : [*], next[N + 2];
#pragma acc declare create(u, next)

int main(void) {
    double const pi = 3.14159265358979323846, r = 0.4;
    int const me = xmpc_this_image(), all = xmp_num_images(), left = (me + all - 1) % all, right = (me + 1) % all;
    for (int i = 1; i <= N; i++) u[i] = cos(2 * pi * (me * N + i - 1) / (N * all));
#pragma acc update device(u)
    xmp_sync_all(NULL);
    for (int step = 0; step < STEPS; step++) {
#pragma acc host_data use_device(u)
        {
            u[N + 1] : [left] = u[1];
            u[0] : [right] = u[N];
        }
        xmp_sync_all(NULL); /* the edges of all images have arrived */
#pragma acc parallel loop present(u, next)
        for (int i = 1; i <= N; i++) next[i] = u[i] + r * (u[i - 1] - 2 * u[i] + u[i + 1]);
#pragma acc parallel loop present(u, next)
        for (int i = 1; i <= N; i++) u[i] = next[i];
        xmp_sync_all(NULL); /* nobody still computes with what comes next */
    }
#pragma acc update self(u [1:N])
    double const half = sin(pi / (N * all)), factor = pow(1 - 4 * r * half * half, STEPS);
    double error = 0;
    for (int i = 1; i <= N; i++) error = fmax(error, fabs(u[i] - factor * cos(2 * pi * (me * N + i - 1) / (N * all))));
#pragma xmp reduction(max : error)
    if (me == 0) printf("%d images, largest error %.1e\n", all, error);
    return error < 1e-10 ? 0 : 1;
}
