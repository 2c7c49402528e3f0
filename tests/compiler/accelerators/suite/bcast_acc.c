/* SPDX-License-Identifier: Apache-2.0 */
/* bcast acc: scalars, arrays, sections, structures, from nodes and templates, on parts, asynchronous. */
#include <stdio.h>
#include <xmp.h>
#define N 12
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}
static double big[5][6];
int main(void) {
    int n = xmp_num_nodes(), me = xmpc_node_num();
    int v[6], s = me;
    for (int i = 0; i < 6; i++) v[i] = 10 * me + i;
#pragma acc enter data copyin(v, s)
#ifdef _XCALABLEACC
    for (int i = 0; i < 6; i++) v[i] = -1;
    s = -1;
#endif
#pragma xmp bcast(v) from p[n - 1] acc
#pragma xmp bcast(s) acc
#ifdef _XCALABLEACC
    check(v[0] != -1 || s != -1, "the host keeps its values");
#endif
#pragma acc exit data copyout(v, s)
    int w = s != 0;
    for (int i = 0; i < 6; i++) w += v[i] != 10 * (n - 1) + i;
    check(w, "whole");
    for (int i = 0; i < 6; i++) v[i] = 10 * me + i;
#pragma acc data copy(v)
    {
#pragma xmp bcast(v [1:3]) from p[0] on p[ : ] acc
#pragma xmp bcast(v[5]) from t[N - 1] acc
    } w = 0;
    for (int i = 0; i < 6; i++) w += v[i] != (i >= 1 && i < 4 ? i : i == 5 ? 10 * ((N - 1) / ((N + n - 1) / n)) + 5 : 10 * me + i);
    check(w, "sections");
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++) big[i][j] = me * 100 + i * 6 + j;
#pragma acc data copy(big)
    {
#pragma xmp bcast(big [1:3] [2:2]) from p[n - 1] async(3) acc
#pragma xmp wait_async(3) acc
    } w = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++) w += big[i][j] != (i >= 1 && i < 4 && j >= 2 && j < 4 ? n - 1 : me) * 100 + i * 6 + j;
    check(w, "async sections of two dimensions");
    double* heap = (double*)__builtin_malloc(8 * sizeof(double));
    for (int i = 0; i < 8; i++) heap[i] = me + i;
#pragma acc enter data copyin(heap [0:8])
#pragma xmp bcast(heap [2:4]) from p[n - 1] acc
#pragma acc exit data copyout(heap [0:8])
    w = 0;
    for (int i = 0; i < 8; i++) w += heap[i] != (i >= 2 && i < 6 ? n - 1 : me) + i;
    check(w, "pointers");
    return failures != 0;
}
