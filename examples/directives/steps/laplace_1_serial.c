/* SPDX-License-Identifier: Apache-2.0 */
/* Step 1: heat in a plate, whose upper edge is hot. A serial program. */
#include <math.h>
#include <stdio.h>

#define N 60
#define M 50

static double u[N][M], v[N][M];

int main(void) {
    double change = 0;
    for (int j = 0; j < M; j++) u[0][j] = v[0][j] = 1;
    for (int step = 0; step < 200; step++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        change = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) {
                change = fmax(change, fabs(v[i][j] - u[i][j]));
                u[i][j] = v[i][j];
            }
    }
    printf("the last change was %.9f\n", change);
    return 0;
}
