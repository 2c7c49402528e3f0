/* SPDX-License-Identifier: Apache-2.0 */
/* Structures: as elements of arrays on the device, as private values and arguments. */
#include <stdio.h>
#include <xmp.h>
#define N 22
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
typedef struct {
    double x[3];
    int id;
    char tag;
} particle;
particle cloud[N];
struct field {
    int steps;
    double u[N];
    double v[N];
} f;
#pragma xmp align cloud[i] with t[i]
#pragma xmp align f.u[i] with t[i]
#pragma xmp align f.v[i] with t[i]
#pragma xmp shadow cloud[1]
#pragma xmp shadow f.u[1]
struct parameters {
    double dt, k[2];
};
int main(void) {
    int wrong = 0;
    struct parameters par = {0.5, {2, 3}};
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        cloud[i].x[0] = cloud[i].x[1] = cloud[i].x[2] = i;
        cloud[i].id = i;
        cloud[i].tag = 'a';
        f.u[i] = i;
    }
    f.steps = 3;
#pragma acc data copy(cloud) copyin(par)
    {
#pragma xmp reflect(cloud) width(/ periodic / 1) acc
#pragma acc parallel loop present(par)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) {
            particle q = cloud[i];
            q.x[0] += par.dt * (cloud[i + 1].id - cloud[i - 1].id);
            q.x[2] = par.k[1];
            q.tag = 'b';
            cloud[i].x[0] = q.x[0];
            cloud[i].x[2] = q.x[2];
            cloud[i].tag = q.tag;
        }
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        wrong += cloud[i].x[0] != i + 0.5 * ((i + 1) % N - (i + N - 1) % N) || cloud[i].x[1] != i || cloud[i].x[2] != 3 ||
                 cloud[i].tag != 'b';
    int v = 0;
#pragma xmp reflect(f.u)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) f.v[i] = i == 0 || i == N - 1 ? 0 : f.u[i - 1] + f.u[i + 1];
#pragma xmp loop on t[i] reduction(+ : v)
    for (int i = 0; i < N; i++) v += f.v[i] != (i == 0 || i == N - 1 ? 0 : 2 * i);
    if (wrong + v + (f.steps != 3)) printf("%d %d wrong\n", wrong, v);
    return wrong + v + (f.steps != 3) != 0;
}
