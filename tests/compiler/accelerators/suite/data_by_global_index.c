// SPDX-License-Identifier: Apache-2.0
// Data clauses and updates by global index; a nest in a parallel region.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c)                                                                                                                      \
    do {                                                                                                                           \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c);                  \
    } while (0)
#define N 48
#define M 10
double u[N][M], v[N][M];
#pragma xmp nodes p[*]
#pragma acc devices d[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp align u[i][*] with t[i]
#pragma xmp align v[i][*] with t[i]
#pragma xmp shadow u[1][0]
#pragma acc declare create(v)
int main(void) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) u[i][j] = 100 * i + j;
#pragma acc enter data copyin(u)
#pragma xmp reflect(u) width(1, 0) acc
#pragma acc parallel present(u, v)
    {
#pragma acc loop gang
#pragma xmp loop(i) on t[i]
        for (int i = 1; i < N - 1; i++)
#pragma acc loop vector
            for (int j = 0; j < M; j++) v[i][j] = u[i - 1][j] + u[i + 1][j];
    }
#pragma acc update self(v [1:N - 2] [0:M])
#pragma xmp loop(i) on t[i]
    for (int i = 1; i < N - 1; i++)
        for (int j = 0; j < M; j++) CK(v[i][j] == 200 * i + 2 * j);
#pragma acc update device(u [5:10])
#pragma acc exit data copyout(u [0:N])
    return bad;
}
