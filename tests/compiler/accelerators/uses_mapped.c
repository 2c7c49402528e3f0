/* SPDX-License-Identifier: Apache-2.0 */
/* Data clauses, parts by global index and clauses `acc` with mappings that are not the plain block: widths of the program's own,
 * both dimensions split, offsets, parts of the nodes, columns, coarrays beside distributed arrays. */
#include <stdio.h>
#include <xmp.h>

#define N 40
#define M 12
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template s[N][M]
#pragma xmp distribute s[*][block] onto p
#pragma xmp template o[N + 10]
#pragma xmp distribute o[block(N + 10)] onto p
static int a[N], f[N];
static long q[N][M];
static double h[N][M];
static float c[M] : [*], x[M] : [*];
static int one : [*];
#pragma xmp align a[i] with t[i]
#pragma xmp align f[i] with o[i + 5]
#pragma xmp align q[i][j] with s[i][j]
#pragma xmp align h[i][*] with t[i]
#pragma xmp shadow a[2 : 1]
#pragma acc declare create(c) copyin(one)
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}
static void set(int base) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = base + i;
#pragma xmp loop on o[i + 5]
    for (int i = 0; i < N; i++) f[i] = base + i;
#pragma xmp loop on s[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) q[i][j] = base + 100 * i + j;
}
/* 1: parts and halos of an array with widths of its own */
static void own_widths(void) {
    int wrong = 0, n = xmp_num_nodes(), widths[n];
    for (int k = 0; k < n; k++) widths[k] = k < n - 1 ? 3 : N - 3 * (n - 1);
#pragma xmp template w[N]
#pragma xmp distribute w[gblock(widths)] onto p
    int g[N];
#pragma xmp align g[i] with w[i]
#pragma xmp shadow g[1]
#pragma xmp loop on w[i]
    for (int i = 0; i < N; i++) g[i] = i;
#pragma acc enter data copyin(g [3:N - 6])
#pragma xmp loop on w[i]
    for (int i = 0; i < N; i++) g[i] = 500 + i;
#pragma acc parallel loop present(g)
#pragma xmp loop on w[i]
    for (int i = 3; i < N - 3; i++) g[i] += 1;
#pragma acc update self(g [7:9])
#pragma xmp loop on w[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += g[i] != (i >= 7 && i < 16 ? i + 1 : 500 + i);
#pragma acc update device(g [N - 3:3])
#pragma acc exit data copyout(g [N - 5:5])
#pragma xmp loop on w[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += g[i] != ((i >= 7 && i < 16) || i == N - 5 || i == N - 4 ? i + 1 : 500 + i);
    check(wrong, "gblock");
#pragma xmp loop on w[i]
    for (int i = 0; i < N; i++) g[i] = i;
#pragma acc data copy(g)
    {
#pragma xmp reflect(g) width(/ periodic / 1) acc
#pragma acc parallel loop present(g)
#pragma xmp loop on w[i]
        for (int i = 0; i < N; i += 2) g[i] = g[i - 1] * 100 + g[i + 1];
    }
#pragma xmp loop on w[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += g[i] != (i % 2 == 0 ? (i + N - 1) % N * 100 + i + 1 : i);
    check(wrong, "halos of gblock");
}
/* 2: columns, both subscripts in a clause */
static void columns(void) {
    int wrong = 0;
    set(0);
#pragma acc data copyin(q [2:N - 4] [1:M - 2]) copyout(h)
    {
        set(900);
#pragma acc parallel loop collapse(2) present(q)
#pragma xmp loop on s[i][j]
        for (int i = 2; i < N - 2; i++)
            for (int j = 1; j < M - 1; j++) q[i][j] = -q[i][j];
#pragma acc parallel loop collapse(2) present(h)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++) h[i][j] = i * M + j;
#pragma acc update self(q[5][:], q [9:2] [M - 4:3])
    }
#pragma xmp loop on s[i][j] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 1; j < M - 1; j++)
            wrong += q[i][j] != (i == 5 || ((i == 9 || i == 10) && j >= M - 4) ? -(100 * i + j) : 900 + 100 * i + j);
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) wrong += h[i][j] != i * M + j;
    check(wrong, "columns");
}
/* 3: an array that is aligned with an offset, and lies on one node */
static void offset(void) {
    int wrong = 0;
    set(0);
#pragma acc enter data copyin(f)
    set(300);
#pragma acc update device(f [10:5])
#pragma acc parallel loop present(f)
#pragma xmp loop on o[i + 5]
    for (int i = 0; i < N; i++) f[i] *= 2;
#pragma acc update host(f [0:20])
#pragma acc exit data delete (f)
#pragma xmp loop on o[i + 5] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += f[i] != (i >= 20 ? 300 + i : i >= 10 && i < 15 ? 2 * (300 + i) : 2 * i);
    check(wrong, "an offset");
}
/* 4: the last node only */
static void last_one(void) {
    int wrong = 0, n = xmp_num_nodes(), me = xmp_node_num(), value = me;
    set(0);
#pragma acc enter data copyin(a, value)
    value = -3;
#pragma xmp task on p[n - 1]
    {
#pragma acc parallel loop present(a)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] += 1000;
#pragma acc parallel present(value)
        value += 70;
    }
#pragma xmp bcast(value) from p[n - 1] acc
#pragma acc exit data copyout(a, value)
    wrong += value != n + 70;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != (me == n ? 1000 + i : i);
    check(wrong, "a part of the nodes");
}
/* 5: sections in bcast and reduction, of arrays and coarrays */
static void sections(void) {
    int wrong = 0, n = xmp_num_nodes(), me = xmp_node_num(), y[M];
    for (int j = 0; j < M; j++) y[j] = me + j, c[j] = me * 10 + j;
    one = me;
#pragma acc update device(c, one)
#pragma acc enter data copyin(y)
    for (int j = 0; j < M; j++) y[j] = c[j] = -1;
    one = -1;
#pragma xmp reduction(+ : y [2:5]) acc
#pragma xmp bcast(c [3:4]) from p[0] acc
#pragma xmp reduction(max : one) async(5) acc
#pragma xmp wait_async(5) acc
#pragma acc update self(c, one)
#pragma acc exit data copyout(y)
    wrong += one != n;
    for (int j = 0; j < M; j++) {
        wrong += y[j] != (j >= 2 && j < 7 ? n * (n + 1) / 2 + n * j : me + j);
        wrong += c[j] != (j >= 3 && j < 7 ? 10 + j : me * 10 + j);
    }
    check(wrong, "sections in bcast and reduction");
}
/* 6: gmove between a distributed array and a local one on the device */
static void to_local(void) {
    int wrong = 0;
    int l[N];
    set(0);
    for (int i = 0; i < N; i++) l[i] = -2;
#pragma acc enter data copyin(a, l)
    set(100);
#pragma xmp gmove acc
    l [4:8] = a [16:8];
#pragma xmp gmove acc
    a [0:6] = a [30:6];
#pragma acc exit data copyout(l, a)
    for (int i = 0; i < N; i++) wrong += l[i] != (i >= 4 && i < 12 ? 12 + i : -2);
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != (i < 6 ? 30 + i : i);
    check(wrong, "gmove to a local array");
}
/* 7: in and out of what is there, or not */
static void maybe(int there) {
    int wrong = 0;
    set(0);
    if (there) {
#pragma acc enter data copyin(a)
    }
    set(100);
#pragma acc data no_create(a)
    {
#pragma acc update device(a [0:2]) if_present
#pragma acc parallel loop no_create(a) if (there)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] += 1;
    }
#pragma acc exit data copyout(a) finalize
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != (!there ? 101 + i : i < 2 ? 101 + i : 1 + i);
    check(wrong, "no_create, if_present");
}
/* 8: a halo that only the device has, several steps, and the rest of the array on the host */
static void shadows(void) {
    int wrong = 0;
    set(0);
#pragma acc data copyin(a)
    {
        for (int step = 1; step <= 3; step++) {
#pragma xmp reflect(a) width(/ periodic / 2 : 1) acc
#pragma acc parallel loop present(a)
#pragma xmp loop on t[i]
            for (int i = 0; i < N; i++) a[i] += 0;
#pragma acc update self(a)
#pragma xmp loop on t[i] reduction(+ : wrong)
            for (int i = 0; i < N; i++)
                wrong += a[i - 2] != (i + N - 2) % N + (step - 1) * 10 || a[i + 1] != (i + 1) % N + (step - 1) * 10;
#pragma acc parallel loop present(a)
#pragma xmp loop on t[i]
            for (int i = 0; i < N; i++) a[i] += 10;
        }
    }
    check(wrong, "shadows on the host");
}
/* 9: coarrays and distributed arrays in one kernel */
static void together(int base) {
    int wrong = 0, me = xmpc_this_image(), all = xmp_num_images(), right = (me + 1) % all;
    set(0);
    for (int j = 0; j < M; j++) x[j] = base + me * 100 + j;
#pragma acc enter data copyin(a, x)
    xmp_sync_all(NULL);
    for (int j = 0; j < M; j++) x[j] = -1;
#pragma acc host_data use_device(x)
    x [0:M / 2] = x [M / 2:M / 2] : [right];
    xmp_sync_all(NULL);
#pragma acc parallel loop present(a, x)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] += (int)x[i % (M / 2)];
#pragma acc exit data copyout(a) delete (x)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != base + i + right * 100 + M / 2 + i % (M / 2);
    check(wrong, "coarrays and distributed arrays");
    xmp_sync_all(NULL);
}
int main(void) {
    own_widths();
    columns();
    offset();
    offset(); /* what was deleted comes anew */
    last_one();
    sections();
    to_local();
    maybe(1);
    maybe(0);
    shadows();
    together(0);
    together(7);
    return failures != 0;
}
