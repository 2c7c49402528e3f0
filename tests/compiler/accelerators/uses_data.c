/* SPDX-License-Identifier: Apache-2.0 */
/* Data on devices as programs write it: structured and unstructured data, declare, pointers, functions, parts, plain OpenACC beside
 * it. */
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

#define N 37
#define M 8
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template s[M][N]
#pragma xmp distribute s[*][block] onto p
double u[N], v[N], w[N];
float m[N][M];
float k[M][N];
int g[N];
#pragma xmp align[i] with t[i] ::u, v, w, g
#pragma xmp align m[i][*] with t[i]
#pragma xmp align k[j][i] with s[j][i]
#pragma xmp shadow u[1]
#pragma xmp shadow m[2][0]
#pragma acc declare create(w)
double* heap;
#pragma xmp align heap[i] with t[i]
int table[M];
#pragma acc declare copyin(table)
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}
static void set(double by) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        u[i] = by * i;
        v[i] = 0;
        g[i] = i;
    }
}
/* 1 */
static void nested_data(void) {
    int wrong = 0;
    set(1);
#pragma acc data copyin(u)
    {
#pragma acc data copyout(v) present(u)
        {
#pragma xmp loop on t[i]
#pragma acc parallel loop gang vector present(u, v)
            for (int i = 0; i < N; i++) v[i] = 2 * u[i];
        }
#pragma acc data copy(v)
        {
#pragma acc parallel loop present(u, v) num_gangs(2) vector_length(32)
#pragma xmp loop(i) on t[i]
            for (int i = 0; i < N; i++) v[i] += u[i];
        }
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != 3.0 * i;
    check(wrong, "nested data");
}
/* 2 */
static void counted(void) {
    int wrong = 0;
    set(1);
#pragma acc enter data copyin(u)
#pragma acc enter data copyin(u)
#pragma acc exit data delete (u)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) u[i] = -1;
#pragma acc parallel loop present(u)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) u[i] += 1;
#pragma acc exit data copyout(u)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += u[i] != i + 1;
    check(wrong, "entered twice");
}
/* 3 */
static void scale(double a[N], double by) {
#pragma xmp align a[i] with t[i]
#pragma acc parallel loop present(a)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] *= by;
}
static void parameters(void) {
    int wrong = 0;
    set(1);
#pragma acc data copy(v, g) copyin(u)
    {
#pragma acc parallel loop present(v, u)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) v[i] = u[i];
        scale(v, 3);
        scale(v, 2);
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != 6.0 * i;
    check(wrong, "parameters");
}
/* 4 */
static void pointers(void) {
    int wrong = 0;
    heap = (double*)xmp_malloc(xmp_desc_of(heap), N);
#pragma acc enter data create(heap)
#pragma acc parallel loop present(heap)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) heap[i] = 1.5 * i;
#pragma acc update self(heap)
#pragma acc exit data delete (heap)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += heap[i] != 1.5 * i;
    xmp_free(xmp_desc_of(heap));
    check(wrong, "pointers");
}
/* 5 */
static void locals(void) {
    int wrong = 0;
    int l[N], q[N];
#pragma xmp align[i] with t[i] ::l, q
#pragma acc declare create(l)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) q[i] = 7;
#pragma acc kernels copy(q)
    {
#pragma acc loop independent
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) l[i] = q[i] + i;
#pragma acc loop independent
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) q[i] = l[i] * 2;
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += q[i] != 2 * (7 + i);
    check(wrong, "locals");
}
/* 6 */
static void parts(void) {
    int wrong = 0;
    set(1);
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) m[i][j] = 10 * i + j;
#pragma xmp loop on s[j][i]
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++) k[j][i] = 10 * i + j;
#pragma acc enter data copyin(m, k) create(v)
#pragma acc parallel loop collapse(2) present(m)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) m[i][j] += 1000;
#pragma acc parallel loop collapse(2) present(k)
#pragma xmp loop(j, i) on s[j][i]
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++) k[j][i] += 1000;
#pragma acc update host(m [5:20], k[2][:], k [5:2] [3:10])
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) wrong += m[i][j] != 10 * i + j + (i >= 5 && i < 25 ? 1000 : 0);
#pragma xmp loop on s[j][i] reduction(+ : wrong)
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++)
            wrong += k[j][i] != 10 * i + j + (j == 2 || ((j == 5 || j == 6) && i >= 3 && i < 13) ? 1000 : 0);
#pragma acc exit data delete (m, k, v)
    check(wrong, "parts of two dimensions");
}
/* 7 */
static void plain(void) {
    int wrong = 0, n = 20, x[20], *y = malloc(20 * sizeof *y), z = 4;
    for (int i = 0; i < 20; i++) x[i] = i, y[i] = 2 * i;
#pragma acc data copyin(x) copy(y [0:n])
    {
#pragma acc parallel loop firstprivate(z) present(x, y [0:n])
        for (int i = 0; i < n; i++) y[i] += x[i] * z;
#pragma acc update self(y [5:5])
        for (int i = 0; i < n; i++) wrong += y[i] != (i >= 5 && i < 10 ? 6 * i : 2 * i);
    }
    for (int i = 0; i < n; i++) wrong += y[i] != 6 * i;
    free(y);
    check(wrong, "plain OpenACC");
}
/* 8 */
static void mixed(void) {
    int wrong = 0;
    double c[3] = {1, 2, 3};
    set(1);
#pragma acc data copyin(u, c) copyout(v)
    {
        c[1] = -100;
#pragma acc parallel loop
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) v[i] = c[0] + c[1] * u[i] + c[2];
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != 4 + 2.0 * i;
    check(wrong, "arrays of both kinds");
}
/* 9 */
static void conditions(int on) {
    int wrong = 0;
    set(1);
#pragma acc data copy(v) copyin(u) if (on)
    {
#pragma acc parallel loop if (on) copyin(u)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) v[i] = u[i] + on;
#pragma acc update self(v) if (on)
#pragma acc update device(u) if_present
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != i + on;
    check(wrong, "if");
}
/* 10 */
static void raw_sum(double const* first, int n, double* out) {
    double sum = 0;
#pragma acc parallel loop deviceptr(first) reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += first[i];
    *out = sum;
}
static void addresses(void) {
    int wrong = 0, n = 0;
    double sum = 0, all = 0;
    set(1);
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) n++;
#pragma acc enter data copyin(u, v)
#pragma acc host_data use_device(v)
    { raw_sum(v, n, &sum); }
    wrong += sum != 0;
    set(2);
#pragma acc update device(v)
#pragma acc parallel loop present(v)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) v[i] = i;
#pragma acc host_data use_device(v)
    raw_sum(v, n, &sum);
    all = sum;
#pragma xmp reduction(+ : all)
    wrong += all != N * (N - 1) / 2;
#pragma acc exit data delete (u, v)
    check(wrong, "host_data");
}
/* 11 */
static void declared(void) {
    int wrong = 0;
    for (int j = 0; j < M; j++) table[j] = 3 * j;
#pragma acc update device(table)
#pragma acc parallel loop present(w)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) w[i] = table[i % M];
#pragma acc update self(w)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += w[i] != 3 * (i % M);
    check(wrong, "declare");
}
/* 12 */
static void queues(void) {
    int wrong = 0;
    set(1);
#pragma acc enter data copyin(u) create(v) async(1)
#pragma acc parallel loop present(u, v) async(1)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) v[i] = u[i] * 10;
#pragma acc parallel loop copy(g) async(2)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) g[i] += 1;
#pragma acc wait(1) async(2)
#pragma acc update self(v) async(2)
#pragma acc wait(2)
#pragma acc wait
#pragma acc exit data delete (u)copyout(v) wait(1, 2)
    if (acc_async_test_all() == 0) wrong++;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != 10.0 * i || g[i] != i + 1;
    check(wrong, "queues");
}
int main(void) {
    nested_data();
    counted();
    parameters();
    pointers();
    locals();
    parts();
    plain();
    mixed();
    conditions(0);
    conditions(1);
    addresses();
    declared();
    queues();
    return failures != 0;
}
