/* SPDX-License-Identifier: Apache-2.0 */
/* Laplace in two dimensions on devices, against the same loops on arrays of each node. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>

#define N 40
#define M 56
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
double u[N][M], v[N][M];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align v[i][j] with t[i][j]
#pragma xmp shadow u[1][0]

static double a[N][M], b[N][M];

int main(void) {
    double change = 0, wanted = 0;
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) u[i][j] = v[i][j] = sin(i * 0.3) + cos(j * 0.2);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) a[i][j] = b[i][j] = sin(i * 0.3) + cos(j * 0.2);
#pragma acc enter data copyin(u, v)
#pragma xmp reflect_init(u) acc
    for (int step = 0; step < 20; step++) {
#pragma xmp reflect_do(u) acc
#pragma acc parallel loop collapse(2) present(u, v)
#pragma xmp loop(i, j) on t[i][j]
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        change = 0;
#pragma xmp loop(i, j) on t[i][j] reduction(+ : change)
#pragma acc parallel loop collapse(2) present(u, v) reduction(+ : change)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) {
                change += fabs(v[i][j] - u[i][j]);
                u[i][j] = v[i][j];
            }
        wanted = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) {
                wanted += fabs(b[i][j] - a[i][j]);
                a[i][j] = b[i][j];
            }
    }
#pragma acc exit data copyout(u) delete (v)
    double total = 1, sum = 1;
#pragma acc parallel loop copy(u, total) reduction(+ : total)
#pragma xmp loop(i) on t[i][*] reduction(+ : total) acc
    for (int i = 0; i < N; i++) total += u[i][i];
    for (int i = 0; i < N; i++) sum += a[i][i];
    int wrong = !(fabs(total - sum) < 1e-9);
#pragma xmp loop(i, j) on t[i][j] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) wrong += u[i][j] != a[i][j];
    if (wrong != 0 || !(fabs(change - wanted) < 1e-9)) {
        printf("node %d of %d: %d wrong, %.17g for %.17g\n", xmp_node_num(), xmp_num_nodes(), wrong, change, wanted);
        return 1;
    }
    return 0;
}
