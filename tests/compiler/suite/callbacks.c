/* SPDX-License-Identifier: Apache-2.0 */
/* A program of many small functions: static local arrays, arrays made in a recursive function, statics in headers, mutual recursion, callbacks with void pointers, qsort on a local part, variadic functions, setjmp around a loop. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 28
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
typedef void visitor(int i, double *x, void *data);
static void visit(visitor *v, void *data) {
    static double x[N];
#pragma xmp align x[i] with t[i]
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) v(i, &x[i], data);
}
static void add(int i, double *x, void *data) { *x += i * *(double *)data; }
static void take(int i, double *x, void *data) { ((double *)data)[i] = *x; }
static int less(void const *a, void const *b) { double const d = *(double const *)a - *(double const *)b; return (d > 0) - (d < 0); }
static double many(int n, ...) {
    va_list all; va_start(all, n);
    double s = 0;
    for (int k = 0; k < n; k++) {
        double const f = va_arg(all, double);
#pragma xmp loop on t[i] reduction(+:s)
        for (int i = 0; i < N; i++) s += f * i;
    }
    va_end(all);
    return s;
}
static jmp_buf out;
static void jumps(int at) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) if (i == at) longjmp(out, 1);
}
static int odd(int k);
static int even(int k) {
    int c = 0;
    if (k == 0) return 0;
#pragma xmp loop on t[i] reduction(+:c)
    for (int i = 0; i < k; i++) c++;
    return c + odd(k - 1);
}
static int odd(int k) { return k == 0 ? 0 : 1000 + even(k - 1); }
int main(void) {
    int bad = 0;
    double f = 1, got[N];
    visit(add, &f); f = 2; visit(add, &f);
    for (int i = 0; i < N; i++) got[i] = 0;
    visit(take, got);
#pragma xmp reduction (+:got)
    for (int i = 0; i < N; i++) bad += got[i] != 3 * i;
    bad += many(3, 1.0, 2.0, 0.5) != 3.5 * N * (N - 1) / 2;
    volatile int jumped = 0;
    if (setjmp(out) == 0) jumps(3); else jumped = 1;
    int j = jumped;
#pragma xmp reduction (+:j)
    bad += j != 1;
    bad += even(6) != 6 + 1000 + 4 + 1000 + 2 + 1000;
    {
        double y[N];
#pragma xmp align y[i] with t[i]
        int lo = N, own = 0;
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) { y[i] = (i * 11) % N; own++; if (i < lo) lo = i; }
        if (own) qsort(&y[lo], own, sizeof y[lo], less);
#pragma xmp loop on t[i] reduction(+:bad)
        for (int i = 1; i < N; i++) if (i > lo) bad += y[i - 1] > y[i];
    }
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
