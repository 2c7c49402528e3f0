/* SPDX-License-Identifier: Apache-2.0 */
/* Step 3: blocks in both dimensions, and an exchange that is planned once, without the corners. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>

#define N 60
#define M 50

#pragma xmp nodes p[*][*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][block] onto p
static double u[N][M], v[N][M];
#pragma xmp align [i][j] with t[i][j] :: u, v
#pragma xmp shadow u[1][1]

int main(void) {
    double change = 0;
#pragma xmp loop (j) on t[0][j]
    for (int j = 0; j < M; j++) u[0][j] = v[0][j] = 1;
#pragma xmp reflect_init (u) orthogonal
    for (int step = 0; step < 200; step++) {
#pragma xmp reflect_do (u)
#pragma xmp loop (i, j) on t[i][j]
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        change = 0;
#pragma xmp loop (i, j) on t[i][j] reduction(max : change)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) {
                change = fmax(change, fabs(v[i][j] - u[i][j]));
                u[i][j] = v[i][j];
            }
    }
#pragma xmp task on p[0][0]
    printf("the last change was %.9f\n", change);
    return 0;
}
