/* SPDX-License-Identifier: Apache-2.0 */
/* Each data clause of OpenACC on distributed arrays, and `acc` of each directive: what the host has differs from what the device
 * has, so that whatever is not moved, or moved too much, is seen. */
#include <stdio.h>
#include <xmp.h>

#define N 48
#define M 20
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template s[N]
#pragma xmp distribute s[cyclic] onto p
int a[N], b[N], d[N], c[N][M], e[N];
#pragma xmp align[i] with t[i] ::a, b, d
#pragma xmp align c[i][*] with t[i]
#pragma xmp align e[i] with s[i]
#pragma xmp shadow a[1]
#pragma acc declare create(d)
static int failures;

static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}

static void fill(int base) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = base + i, b[i] = 2 * base + i;
}

static void structured(void) {
    int wrong = 0;
    fill(100);
#pragma acc data copy(a) copyin(b)
    {
        fill(0); /* the device keeps 100 */
#pragma acc parallel loop
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] = a[i] * 3 + b[i];
#pragma xmp loop on t[i] reduction(+ : wrong)
        for (int i = 0; i < N; i++) wrong += a[i] != i;
#pragma acc update self(a [0:N / 2]) if (N > 4)
#pragma xmp loop on t[i] reduction(+ : wrong)
        for (int i = 0; i < N; i++) wrong += a[i] != (i < N / 2 ? 3 * (100 + i) + 200 + i : i);
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != 3 * (100 + i) + 200 + i || b[i] != i;
    check(wrong, "data copy, copyin, update self of a part");
}

static void dynamic(void) {
    int wrong = 0;
    fill(10);
#pragma acc enter data copyin(a [N / 4:N / 2]) create(b) async(1)
#pragma acc wait(1)
#pragma acc parallel loop present(a, b)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) b[i] = i >= N / 4 && i < 3 * N / 4 ? a[i] : -7;
    fill(50);
#pragma acc update device(a [0:3])
#pragma acc kernels loop default(present) async(2)
#pragma xmp loop on t[i]
    for (int i = 0; i < 3; i++) b[i] = a[i];
#pragma acc exit data delete (a)copyout(b) wait(2)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) {
        if (i < 3)
            wrong += b[i] != 50 + i;
        else
            wrong += b[i] != (i >= N / 4 && i < 3 * N / 4 ? 10 + i : -7);
    }
    check(wrong, "enter data of a part, update device of a part, exit data");
}

static void columns(void) {
    int wrong = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) c[i][j] = 100 * i + j;
#pragma acc enter data copyin(c)
#pragma acc parallel loop collapse(2) present(c)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) c[i][j] = -c[i][j];
#pragma acc update host(c[:] [3:2])
#pragma acc exit data delete (c)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) wrong += c[i][j] != (j == 3 || j == 4 ? -1 : 1) * (100 * i + j);
    check(wrong, "update host of columns");
}

static void cyclic(void) {
    int wrong = 0;
#pragma xmp loop on s[i]
    for (int i = 0; i < N; i++) e[i] = i;
#pragma acc parallel loop copy(e [5:9])
#pragma xmp loop on s[i]
    for (int i = 5; i < 14; i++) e[i] = 1000 + e[i];
#pragma xmp loop on s[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += e[i] != (i >= 5 && i < 14 ? 1000 + i : i);
    check(wrong, "copy of a part of a cyclic array");
}

static void halos(void) {
    int wrong = 0;
    for (int round = 0; round < 3; round++) {
        fill(7);
#pragma acc data copyin(a) copyout(b)
        {
            fill(500); /* of the host, and nothing of it may be seen */
            if (round == 0) {
#pragma xmp reflect(a) width(/ periodic / 1) acc
            } else if (round == 1) {
#pragma xmp reflect(a) width(/ periodic / 1) async(4) acc
#pragma xmp wait_async(4) acc
            } else {
#pragma xmp reflect_init(a) width(/ periodic / 1) acc
#pragma xmp reflect_do(a) async(5) acc
#pragma xmp wait_async(5)
            }
#pragma acc parallel loop present(a, b)
#pragma xmp loop on t[i]
            for (int i = 0; i < N; i++) b[i] = a[i - 1] + 1000 * a[i + 1];
        }
#pragma xmp loop on t[i] reduction(+ : wrong)
        for (int i = 0; i < N; i++) wrong += b[i] != 7 + (i + N - 1) % N + 1000 * (7 + (i + 1) % N) || a[i] != 500 + i;
    }
    check(wrong, "reflect, reflect_init, reflect_do of the device");
}

static void values(void) {
    int x = 3, y[4] = {1, xmp_node_num(), 3, 4}, wrong = 0, sum = 4, z = 9;
    int const n = xmp_num_nodes();
#pragma acc enter data copyin(x, y, z)
    x = y[2] = z = -1;
#pragma xmp reduction(+ : x) acc
#pragma xmp reduction(max : y [1:2]) async(6) acc
#pragma xmp wait_async(6) acc
    if (xmp_node_num() == n) {
#pragma acc parallel present(z)
        z = 77;
    }
#pragma xmp bcast(z) from p[n - 1] acc
#pragma xmp barrier acc
    wrong += x != -1 || y[2] != -1 || z != -1;
#pragma acc exit data copyout(x, y, z)
    wrong += x != 3 * n || y[1] != n || y[2] != 3 || z != 77;
    fill(0);
#pragma acc data copy(sum) copyin(a)
    {
#pragma xmp loop on t[i] reduction(+ : sum) acc
#pragma acc parallel loop reduction(+ : sum) present(sum, a)
        for (int i = 0; i < N; i++) sum += a[i];
    }
    wrong += sum != 4 + N * (N - 1) / 2;
    check(wrong, "reduction, bcast, barrier, wait_async of the device");
}

static void moves(void) {
    int wrong = 0, w[N];
    fill(30);
    for (int i = 0; i < N; i++) w[i] = -1;
#pragma acc enter data copyin(a, b, w)
    fill(60);
#pragma xmp gmove acc
    b [0:10] = a [N - 10:10];
#pragma xmp gmove acc(a)
    b [20:10] = a [0:10];
#pragma xmp gmove acc
    w[:] = a[:];
#pragma xmp gmove async(3) acc(b)
    b [40:4] = a [4:4];
#pragma xmp wait_async(3)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += b[i] != (i >= 20 && i < 30 ? 30 + i - 20 : 120 + i);
#pragma acc exit data copyout(b, w) delete (a)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += b[i] != (i < 10 ? 30 + N - 10 + i : i >= 40 && i < 44 ? 60 + i - 36 : 60 + i);
    for (int i = 0; i < N; i++) wrong += w[i] != 30 + i;
    check(wrong, "gmove of the device");
}

static int sum_of(int const* first, int n) {
    int sum = 0;
#pragma acc parallel loop deviceptr(first) reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += first[i];
    return sum;
}

static void regions(void) {
    int wrong = 0, sum = 0;
    fill(1);
#pragma acc data copy(a) present(d)
    {
#pragma acc parallel
        {
#pragma xmp loop on t[i]
#pragma acc loop
            for (int i = 0; i < N; i++) a[i] += 5;
#pragma acc loop
#pragma xmp loop on t[i]
            for (int i = 0; i < N; i++) d[i] = a[i];
        }
#pragma acc parallel loop default(none) present(a)
#pragma xmp loop on t[i]
        for (int i = N - 1; i >= 0; i--) a[i] += 1;
#pragma acc serial loop if (xmp_num_nodes() < 0)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] = 0;
#pragma acc update self(d)
#pragma xmp loop on t[i] reduction(+ : sum)
        for (int i = 0; i < N; i++) sum += d[i];
    }
    wrong += sum != N * 6 + N * (N - 1) / 2;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != 7 + i;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) d[i] = 0;
    sum = 0;
#pragma acc host_data use_device(d)
    { sum = sum_of(d, xmp_node_num() == 1 ? 1 : 0); }
#pragma xmp reduction(+ : sum)
    wrong += sum != 6;
    check(wrong, "compute constructs, declare, host_data");
}

int main(void) {
    structured();
    dynamic();
    columns();
    columns(); /* what was deleted comes anew */
    cyclic();
    halos();
    values();
    moves();
    regions();
    return failures != 0;
}
