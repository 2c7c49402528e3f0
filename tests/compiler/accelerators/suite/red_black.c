/* SPDX-License-Identifier: Apache-2.0 */
/* Red and black points: steps of two with an offset by row, on the device, and the residual as maximum. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>
#define N 20
#define M 18
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
double u[N][M];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp shadow u[1][0]
static double x[N][M];
int main(void) {
    double most = 0, e_most = 0;
    int w = 0;
#pragma xmp loop on t[i][*]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) u[i][j] = i == 0 || j == 0 || i == N - 1 || j == M - 1 ? i + j : 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) x[i][j] = i == 0 || j == 0 || i == N - 1 || j == M - 1 ? i + j : 0;
#pragma acc data copy(u)
    for (int k = 0; k < 8; k++) {
#pragma xmp reflect(u) acc
#pragma acc parallel loop gang
#pragma xmp loop on t[i][*]
        for (int i = 1; i < N - 1; i++) {
            int first = 1 + (i + k) % 2;
#pragma acc loop vector
            for (int j = first; j < M - 1; j += 2) u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        }
        if (k == 7) {
#pragma xmp reflect(u) width(1, 0) acc
#pragma acc parallel loop collapse(2) reduction(max : most)
#pragma xmp loop(i, j) on t[i][j] reduction(max : most)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < M - 1; j++)
                    most = fmax(most, fabs(u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]));
        }
    }
    for (int k = 0; k < 8; k++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1 + (i + k) % 2; j < M - 1; j += 2)
                x[i][j] = 0.25 * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]);
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++)
            e_most = fmax(e_most, fabs(x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1] - 4 * x[i][j]));
#pragma xmp loop on t[i][*] reduction(+ : w)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) w += u[i][j] != x[i][j];
    if (w || most != e_most) printf("%d wrong, %g %g\n", w, most, e_most);
    return w || most != e_most;
}
