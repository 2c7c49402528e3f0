/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of distributed arrays in data clauses, by global index: of one node, of several, empty ones, rows and columns. */
#include <stdio.h>
#include <xmp.h>
#define N 24
#define M 8
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template s(1 : N)
#pragma xmp distribute s(cyclic) onto p
int a[N], c[N][M], e[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align c[i][*] with t[i]
#pragma xmp align e[i] with s(i + 1)
#pragma xmp shadow c[1][0]
#ifdef _XCALABLEACC
static int const on_device = 1;
#else
static int const on_device = 0;
#endif
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}
int main(void) {
    int wrong = 0, k, lo = 5, len = 9;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        a[i] = i;
        for (int j = 0; j < M; j++) c[i][j] = 100 * i + j;
    }
#pragma acc enter data copyin(a [lo:len]) copyin(c)
#pragma acc parallel loop present(a [lo:len])
#pragma xmp loop on t[i]
    for (int i = lo; i < lo + len; i++) a[i] += 1000;
#pragma acc exit data copyout(a [lo:len])
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != i + (i >= lo && i < lo + len ? 1000 : 0);
    check(wrong, "enter data, exit data");
    wrong = 0;
#pragma acc parallel loop collapse(2) present(c)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) c[i][j] = -c[i][j];
#pragma acc update self(c [2:4] [3:2])
#pragma acc update host(c [N - 1:1][:]) if (1)
#pragma acc update host(c[7][:])
#pragma acc update host(c[9][1])
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            int got = (i >= 2 && i < 6 && j >= 3 && j < 5) || i == N - 1 || i == 7 || (i == 9 && j == 1) || !on_device;
            wrong += c[i][j] != (got ? -1 : 1) * (100 * i + j);
        }
    check(wrong, "update");
    wrong = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) c[i][j] = 7;
    k = 4;
#pragma acc update device(c[:] [k:M - k]) async(1)
#pragma acc update device(c [N:0][:])
#pragma acc wait(1)
#pragma acc exit data copyout(c)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) wrong += c[i][j] != (j >= k || !on_device ? 7 : -(100 * i + j));
    check(wrong, "columns, empty");
    wrong = 0;
#pragma xmp loop on s(i + 1)
    for (int i = 0; i < N; i++) e[i] = i;
#pragma acc data copy(e [4:16])
    {
#pragma acc parallel loop
#pragma xmp loop on s(i + 1)
        for (int i = 4; i < 20; i++) e[i] = 2 * e[i] + 1;
    }
#pragma xmp loop on s(i + 1) reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += e[i] != (i >= 4 && i < 20 ? 2 * i + 1 : i);
    check(wrong, "cyclic");
    return failures != 0;
}
