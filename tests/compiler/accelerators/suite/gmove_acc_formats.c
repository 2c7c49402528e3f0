/* SPDX-License-Identifier: Apache-2.0 */
/* gmove acc: block, cyclic, gblock, transposed axes, two dimensions, overlapping parts, async. */
#include <stdio.h>
#include <xmp.h>
#define N 12
#pragma xmp nodes p[*]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][*] onto p
#pragma xmp template s[N][N]
#pragma xmp distribute s[*][block] onto p
#pragma xmp template c[N][N]
#pragma xmp distribute c[cyclic(2)][*] onto p
int a[N][N], b[N][N], k[N][N];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with s[i][j]
#pragma xmp align k[i][j] with c[i][j]
#pragma xmp shadow a[1][0]
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}
int main(void) {
    int w = 0;
#pragma acc enter data create(a, b, k)
#pragma acc parallel loop collapse(2) present(a)
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = 100 * i + j;
#pragma xmp gmove acc
    b[:][:] = a[:][:];
#pragma xmp gmove acc
    k[:][:] = b[:][:];
#pragma xmp gmove async(4) acc
    a [0:6] [1:4] = b [3:6] [5:4];
#pragma xmp wait_async(4) acc
#pragma xmp gmove acc
    b [1:N - 1][:] = b [0:N - 1][:];
#pragma acc exit data copyout(a, b, k)
#pragma xmp loop(i, j) on t[i][j] reduction(+ : w)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) w += a[i][j] != (i < 6 && j >= 1 && j < 5 ? 100 * (i + 3) + j + 4 : 100 * i + j);
    check(w, "a");
    w = 0;
#pragma xmp loop(i, j) on s[i][j] reduction(+ : w)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) w += b[i][j] != 100 * (i ? i - 1 : 0) + j;
    check(w, "b");
    w = 0;
#pragma xmp loop(i, j) on c[i][j] reduction(+ : w)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) w += k[i][j] != 100 * i + j;
    check(w, "k");
    return failures != 0;
}
