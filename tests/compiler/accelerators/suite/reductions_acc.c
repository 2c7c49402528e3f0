/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions: acc's in the kernel, XcalableMP's over nodes, all operators and types; on the device by the directive. */
#include <float.h>
#include <stdio.h>
#include <xmp.h>
#define N 40
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic] onto p
int a[N];
double d[N];
#pragma xmp align[i] with t[i] ::a, d
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}
int main(void) {
    int n = xmp_num_nodes();
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = (i * 13) % 31 + 1, d[i] = 1.0 + (i % 3 == 0);
    int sum = 100, most = -1, least = 1000, x = 0, o = 0, both = -1, anyv = 0, all = 1;
    double product = 1, dsum = 0.5;
    int e_sum = 100, e_most = -1, e_least = 1000, e_x = 0, e_o = 0, e_and = -1, e_any = 0, e_all = 1;
    double e_product = 1, e_dsum = 0.5;
    for (int i = 0; i < N; i++) {
        int v = (i * 13) % 31 + 1;
        double w = 1.0 + (i % 3 == 0);
        e_sum += v;
        if (v > e_most) e_most = v;
        if (v < e_least) e_least = v;
        e_x ^= v;
        e_o |= v;
        e_and &= v | 64;
        e_any = e_any || v == 7;
        e_all = e_all && v < 32;
        e_product *= w;
        e_dsum += w;
    }
#pragma acc enter data copyin(a, d)
#pragma xmp loop on t[i] reduction(+ : sum, dsum) reduction(* : product)
#pragma acc parallel loop present(a, d) reduction(+ : sum, dsum) reduction(* : product)
    for (int i = 0; i < N; i++) {
        sum += a[i];
        dsum += d[i];
        product *= d[i];
    }
    check(sum != e_sum || dsum != e_dsum || product != e_product, "+ and *");
#pragma acc parallel loop present(a) reduction(max : most) reduction(min : least)
#pragma xmp loop on t[i] reduction(max : most) reduction(min : least)
    for (int i = 0; i < N; i++) {
        most = a[i] > most ? a[i] : most;
        least = a[i] < least ? a[i] : least;
    }
    check(most != e_most || least != e_least, "max and min");
#pragma acc parallel loop present(a) reduction(^ : x) reduction(| : o) reduction(& : both)
#pragma xmp loop on t[i] reduction(^ : x) reduction(| : o) reduction(& : both)
    for (int i = 0; i < N; i++) {
        x ^= a[i];
        o |= a[i];
        both &= a[i] | 64;
    }
    check(x != e_x || o != e_o || both != e_and, "bits");
#pragma acc kernels loop present(a) reduction(|| : anyv) reduction(&& : all)
#pragma xmp loop on t[i] reduction(|| : anyv) reduction(&& : all)
    for (int i = 0; i < N; i++) {
        anyv = anyv || a[i] == 7;
        all = all && a[i] < 32;
    }
    check(anyv != e_any || all != e_all, "logical");
    int on = 0;
#pragma acc enter data copyin(on)
#pragma acc parallel loop present(a, on) reduction(+ : on)
#pragma xmp loop on t[i] reduction(+ : on) acc
    for (int i = 0; i < N; i++) on += a[i];
#pragma acc exit data copyout(on)
    check(on != e_sum - 100, "a variable on the device");
    float v[3] = {1.5f * xmp_node_num(), 2, -1.0f * xmp_node_num()};
    long long big = 1ll << 40;
#pragma acc data copy(v, big)
    {
#pragma xmp reduction(max : v) acc
#pragma xmp reduction(+ : big) on p[ : ] acc
    } check(v[0] != 1.5f * n || v[1] != 2 || v[2] != -1 || big != (1ll << 40) * n, "the directive");
#pragma acc exit data delete (a, d)
    return failures != 0;
}
