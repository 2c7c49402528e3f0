/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow around and in loops that nodes share: continue, nested break, goto, switch, statement expressions, GNU case ranges, do-while, conditional directives. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 30
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N][N]
#pragma xmp distribute c[*][cyclic(4)] onto p
int a[N], m[N][N];
#pragma xmp align a[i] with t[i]
#pragma xmp align m[i][j] with c[i][j]
static int bad;
static int classify(int v) { switch (v) { case 0 ... 9: return 1; case 10 ... 19: return 2; default: return 3; } }
int main(void) {
    int n = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        if (i % 3 == 0) { a[i] = -1; continue; }
        for (int k = 0;; k++) { if (k * k > i) { a[i] = k; break; } }
        if (a[i] == 4) goto next;
        a[i] += 100;
    next:;
    }
    int got[N];
#pragma xmp gmove
    got[:] = a[:];
    for (int i = 0; i < N; i++) { int k = 0; while (k * k <= i) k++; bad += got[i] != (i % 3 == 0 ? -1 : k == 4 ? 4 : k + 100); }
    int classes[4] = {0};
#pragma xmp loop on t[i] reduction(+:classes)
    for (int i = 0; i < N; i++) classes[classify(i)]++;
    bad += classes[1] != 10 || classes[2] != 10 || classes[3] != 10;
    do {
        if (n % 2) {
#pragma xmp loop (i, j) on c[i][j]
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) m[i][j] += i;
        } else
#pragma xmp loop (i, j) on c[i][j]
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) m[i][j] = ({ int x = i + j; x * 2; });
    } while (++n < 4);
    long s = 0, want = 0;
#pragma xmp loop (j) on c[*][j] reduction(+:s)
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) s += m[i][j];
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) want += 2 * (i + j) + i;
    bad += s != want;
    if (n == 4)
#pragma xmp barrier
    if (n != 4) bad++;
    for (int k = 0; k < 3; k++)
#pragma xmp reduction (+:n)
    ;
    switch (xmp_num_nodes() > 1) {
    case 1:
#pragma xmp bcast (n) from p[1]
    case 0: break;
    }
    if (bad) printf("bad %d\n", bad);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
