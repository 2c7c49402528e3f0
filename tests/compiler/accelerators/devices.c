/* SPDX-License-Identifier: Apache-2.0 */
/* Several devices of one rank: each directive and clause of device sets. A kernel that touches what its device has not dies, or
 * reads NaN; what the host has differs from what devices have. */
#include <stdio.h>
#include <xmp.h>

#define N 40
#define M 12
#pragma acc devices d[*]
#pragma acc devices one[1] = default[0 : 1]
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template s[N][M]
#pragma xmp distribute s[block][*] onto p
int a[N], b[N], c[N][M], g[N][M], e[N], f[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp align c[i][j] with s[i][j]
#pragma xmp align g[i][j] with s[i][j]
#pragma xmp align e[i] with t[i]
#pragma xmp align f[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp shadow c[1][0]
#pragma acc declare create(e) layout([block]) on_device(d)
static int failures;

static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}

static void fill(int base) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = base + i, b[i] = 2 * base + i, f[i] = 3 * base + i;
}

/* Both orders; blocks; what another device writes is not seen before `reflect`. */
static void stencil(void) {
    int wrong = 0;
    fill(100);
#pragma acc data copy(a) copyout(b) layout([block]) shadow([1:1]) on_device(d)
    {
        fill(0);
#pragma acc parallel loop layout(a[i]) on_device(d)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] += 1000;
#pragma xmp reflect(a) acc
#pragma xmp loop on t[i]
#pragma acc parallel loop present(a, b) layout(b[i]) on_device(d)
        for (int i = 1; i < N - 1; i++) b[i] = a[i - 1] + a[i + 1];
#pragma acc kernels loop layout(a[i]) on_device(d) async(3)
#pragma xmp loop on t[i]
        for (int i = N - 1; i >= 0; i--) a[i] = -a[i];
#pragma acc wait(3) on_device(d)
#pragma acc update self(a [0:N / 2]) on_device(d)
#pragma xmp loop on t[i] reduction(+ : wrong)
        for (int i = 0; i < N; i++) wrong += a[i] != (i < N / 2 ? -1100 - i : i);
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != -1100 - i || (i > 0 && i < N - 1 && b[i] != 2200 + 2 * i);
    check(wrong, "data, layout, reflect, wait, update of a part");
}

/* Halos that were fetched by each form of reflect, and those between devices only. */
static void halos(void) {
    int wrong = 0;
    for (int round = 0; round < 4; round++) {
        fill(7);
#pragma acc enter data copyin(a) create(b) layout([block]) on_device(d)
#pragma acc parallel loop layout(a[i]) on_device(d)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] *= 3;
        fill(500);
        if (round == 0) {
#pragma xmp reflect(a) width(/ periodic / 1) acc
        } else if (round == 1) {
#pragma xmp reflect(a) width(/ periodic / 1) async(4) acc
#pragma xmp wait_async(4) acc
        } else {
#pragma xmp reflect_init(a) width(/ periodic / 1) acc
#pragma xmp reflect_do(a) acc
            if (round == 3) {
#pragma acc parallel loop layout(a[i]) on_device(d)
#pragma xmp loop on t[i]
                for (int i = 0; i < N; i++) a[i] *= 2;
#pragma acc reflect(a)
            }
        }
#pragma acc parallel loop layout(b[i]) on_device(d)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) b[i] = a[i - 1] + 1000 * a[i + 1];
#pragma acc exit data delete (a)copyout(b) on_device(d)
        int const last = xmp_num_nodes() == 1 ? N : (N + xmp_num_nodes() - 1) / xmp_num_nodes();
#pragma xmp loop on t[i] reduction(+ : wrong)
        for (int i = 0; i < N; i++) {
            int left = 3 * (7 + (i + N - 1) % N), right = 3 * (7 + (i + 1) % N);
            if (round == 3 && i % last != 0) left *= 2;
            if (round == 3 && i % last != last - 1 && i != N - 1) right *= 2;
            wrong += b[i] != left + 1000 * right;
        }
    }
    check(wrong, "reflect, reflect_init, reflect_do, acc reflect");
}

/* Rows over nodes, columns over devices. */
static void columns(void) {
    int wrong = 0, sum = 5, w[M];
    for (int j = 0; j < M; j++) w[j] = j;
#pragma xmp loop on s[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) c[i][j] = 100 * i + j;
#pragma acc enter data copyin(c) layout([*][block]) shadow([0][1]) on_device(d)
#pragma acc enter data copyin(w) on_device(d)
    for (int j = 0; j < M; j++) w[j] = -1;
#pragma acc parallel loop collapse(2) layout(c[*][j]) on_device(d) present(w)
#pragma xmp loop on s[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) c[i][j] += 100000 * w[j];
#pragma acc update device(w) on_device(d)
#pragma xmp loop on s[i][j] reduction(+ : sum)
#pragma acc parallel loop collapse(2) layout(c[*][j]) on_device(d) reduction(+ : sum) present(w)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) sum -= w[j];
#pragma xmp reflect(c) acc
#pragma acc data copyout(g) layout([*][block]) on_device(d)
    {
#pragma acc parallel loop collapse(2) layout(g[*][j]) on_device(d) present(c, g)
#pragma xmp loop on s[i][j]
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) g[i][j] = c[i - 1][j] + c[i + 1][j] - c[i][j - 1] - c[i][j + 1];
    }
#pragma acc update host(c[:] [3:2]) on_device(d)
#pragma xmp loop on s[i][j] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) wrong += c[i][j] != 100 * i + j + (j == 3 || j == 4 ? 100000 * j : 0);
#pragma xmp loop on s[i][j] reduction(+ : wrong)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++) wrong += g[i][j] != 0;
    for (int j = 0; j < M; j++) w[j] = 9;
#pragma acc exit data copyout(c, w) on_device(d)
    for (int j = 0; j < M; j++) wrong += w[j] != -1;
#pragma xmp loop on s[i][j] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) wrong += c[i][j] != 100 * i + j + 100000 * j;
    wrong += sum != 5 + N * M;
    check(wrong, "columns over devices, variables of each device, reduction");
}

/* Without `layout` each device has all, and does all. */
static void copies(void) {
    int wrong = 0;
    fill(1);
#pragma acc data copy(f) on_device(d)
    {
#pragma acc parallel loop on_device(d) present(f)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) f[i] *= 5;
#pragma acc data copyin(a) copyout(b) layout([block]) on_device(d)
        {
#pragma acc parallel loop layout(a[i]) on_device(d)
#pragma xmp loop on t[i]
            for (int i = 0; i < N; i++) b[i] = a[i] + f[i];
        }
#pragma acc parallel on_device(d) present(f)
        {
#pragma acc loop
#pragma xmp loop on t[i]
            for (int i = 0; i < N; i++) f[i] += 1;
        }
#pragma acc barrier_device on_device(d)
#pragma acc barrier_device
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += b[i] != 1 + i + 5 * (3 + i) || f[i] != 5 * (3 + i) + 1;
    check(wrong, "an array that each device has");
}

/* gmove, `declare`, a set of one device, and the rank's own device afterwards. */
static void moves(void) {
    int wrong = 0;
    fill(31);
#pragma acc enter data copyin(a, b) layout([block]) on_device(d)
    fill(60);
#pragma xmp gmove acc
    b [0:10] = a [N - 10:10];
#pragma acc parallel loop layout(b[i]) on_device(d)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) b[i] += a[i];
#pragma xmp gmove acc(e)
    e[:] = a[:];
#pragma acc parallel loop layout(e[i]) on_device(d)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) e[i] *= 2;
#pragma acc update self(e) on_device(d)
#pragma acc exit data copyout(b) delete (a)on_device(d)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += b[i] != (i < 10 ? 31 + N - 10 + i : 62 + i) + 31 + i || e[i] != 2 * (60 + i);
#pragma acc data copy(a) on_device(one)
    {
#pragma acc parallel loop on_device(one) present(a)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] += 4;
    }
#pragma acc data copy(a)
    {
#pragma acc parallel loop present(a)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] += 4;
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != 68 + i;
    check(wrong, "gmove, declare, a set of one device, no set");
}

int main(void) {
    stencil();
    halos();
    columns();
    copies();
    moves();
    return failures != 0;
}
