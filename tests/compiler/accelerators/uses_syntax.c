/* SPDX-License-Identifier: Apache-2.0 */
/* Directives of OpenACC in places and forms where programs have them: without braces, with comments, in macros, in switch. */
#include <openacc.h>
#include <stdio.h>
#include <xmp.h>
#define N 29
#define QUEUE 4
typedef double row[6];
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double u[N], v[N];
row m[N];
#pragma xmp align[i] with t[i] ::u, v
#pragma xmp align m[i][*] with t[i]
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}
static void set(void) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) u[i] = i, v[i] = -1;
}
static void nobraces(int on) {
    int wrong = 0;
    set();
    if (on)
#pragma acc enter data copyin(u) create(v)
        if (on)
#pragma acc parallel loop present(u, v)
#pragma xmp loop on t[i]
            for (int i = 0; i < N; i++) v[i] = u[i];
        else
            wrong++;
    if (on)
#pragma acc update self(v)
        if (on)
#pragma acc exit data delete (u, v)
#pragma xmp loop on t[i] reduction(+ : wrong)
            for (int i = 0; i < N; i++) wrong += v[i] != i;
    check(wrong, "without braces");
}
static void macros(void) {
    int wrong = 0;
    set();
#pragma acc data copyin(u) /* comment */                                                                                           \
    copyout(v)             // another
#pragma acc parallel loop async(QUEUE) present(u, v)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        v[i] = 3 * u[i];
    }
#pragma acc wait(QUEUE)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != 3 * i;
    check(wrong, "macros");
}
static void types(void) {
    int wrong = 0;
#pragma acc parallel loop collapse(2) copyout(m) vector_length(QUEUE * 8)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 6; j++) m[i][j] = i - j;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 6; j++) wrong += m[i][j] != i - j;
    check(wrong, "typedef");
}
static void locals(void) {
    double s[N];
#pragma xmp align s[i] with t[i]
    int wrong = 0;
    set();
#pragma acc data copyin(u) copyout(s)
#pragma acc kernels
    {
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) s[i] = u[i] + 1;
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += s[i] != i + 1;
    check(wrong, "a local array");
}
static void steps(int n) {
    int wrong = 0;
    set();
#pragma acc data copy(u) create(v)
    for (int step = 0; step < n; step++) {
#pragma acc parallel present(u, v)
        {
#pragma acc loop
#pragma xmp loop on t[i]
            for (int i = 0; i < N; i++) v[i] = u[i];
#pragma acc loop
#pragma xmp loop on t[i]
            for (int i = 0; i < N; i++) u[i] = v[i] + 1;
        }
        if (step == 1) {
#pragma acc update self(u) if_present
            continue;
        }
        switch (step) {
        case 2:
#pragma acc update self(u [0:1])
            break;
        default: break;
        }
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += u[i] != i + n;
    check(wrong, "steps, continue, switch");
}
#pragma acc init
static double norm(void) {
    double x = 0;
#pragma acc parallel loop reduction(+ : x) copyin(u)
#pragma xmp loop on t[i] reduction(+ : x)
    for (int i = 0; i < N; i++) x += u[i] * u[i];
    return x;
}
static void norms(void) {
    set();
#pragma acc set device_num(0)
    check(norm() != (N - 1.) * N * (2 * N - 1) / 6, "norm");
}
static void one_kernel(void) {
    int wrong = 0;
    double s = 0;
    set();
#pragma acc enter data copyin(u, v) create(m)
#pragma acc kernels present(u, v, m) async
    {
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < 6; j++) m[i][j] = u[i];
            v[i] = 0;
            for (int j = 0; j < 6; j++) v[i] += m[i][j];
        }
    }
#pragma acc wait
#pragma acc update host(v, u[3])
#pragma acc exit data delete (u, v, m)finalize
#pragma xmp loop on t[i] reduction(+ : wrong, s)
    for (int i = 0; i < N; i++) wrong += v[i] != 6 * i, s += v[i];
    check(wrong + (s != 6. * N * (N - 1) / 2), "kernels region");
}
int main(void) {
    nobraces(1);
    macros();
    types();
    locals();
    steps(5);
    norms();
    one_kernel();
#pragma acc shutdown
    return failures != 0;
}
