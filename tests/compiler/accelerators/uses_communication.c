/* SPDX-License-Identifier: Apache-2.0 */
/* Communication of what is on devices, as programs write it. */
#include <stdio.h>
#include <xmp.h>

#define N 36
#define M 10
#pragma xmp nodes p[*]
#pragma xmp nodes r[1][*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template s[N][M]
#pragma xmp distribute s[block][block] onto r
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic] onto p
double u[N], v[N];
double a[N][M], b[N][M];
float big[N][M][3];
int e[N], z[N];
struct pair {
    double x;
    int n;
};
struct pair w[N];
#pragma xmp align[i] with t[i] ::u, v, z, w
#pragma xmp align[i][j] with s[i][j] ::a, b
#pragma xmp align big[i][*][*] with t[i]
#pragma xmp align e[i] with c[i]
#pragma xmp shadow u[2 : 1]
#pragma xmp shadow a[1][1]
#pragma xmp shadow big[1][0][0]
#pragma xmp shadow w[1]
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}
static void set(void) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) u[i] = i, v[i] = -1, z[i] = 0;
#pragma xmp loop on s[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) a[i][j] = 100 * i + j, b[i][j] = 0;
}
/* 1 */
static void widths(void) {
    int wrong = 0;
    set();
#pragma acc data copyin(u) copyout(v)
    {
#pragma xmp reflect(u) width(2 : 1) acc
#pragma acc parallel loop present(u, v)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) v[i] = (i < 2 ? 0 : u[i - 2]) + (i == N - 1 ? 0 : u[i + 1]);
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != (i < 2 ? 0 : i - 2) + (i == N - 1 ? 0 : i + 1);
    check(wrong, "widths");
}
/* 2 */
static void plane(int orthogonal) {
    int wrong = 0;
    set();
#pragma acc data copyin(a) copyout(b)
    {
        for (int step = 0; step < 2; step++) {
            if (orthogonal) {
#pragma xmp reflect(a) orthogonal acc
            } else {
#pragma xmp reflect(a) acc
            }
#pragma acc parallel loop collapse(2) present(a, b)
#pragma xmp loop on s[i][j]
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < M - 1; j++)
                    b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] +
                              (orthogonal ? 0 : a[i - 1][j - 1] + a[i + 1][j + 1]);
        }
    }
#pragma xmp loop on s[i][j] reduction(+ : wrong)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++) wrong += b[i][j] != (orthogonal ? 4 : 6) * (100 * i + j);
    check(wrong, "a plane");
}
/* 3 */
static void persistent(void) {
    int wrong = 0;
    set();
#pragma acc enter data copyin(u) create(v)
#pragma xmp reflect_init(u) width(1) acc
    for (int step = 0; step < 5; step++) {
#pragma xmp reflect_do(u) acc
#pragma acc parallel loop present(u, v)
#pragma xmp loop on t[i]
        for (int i = 1; i < N - 1; i++) v[i] = (u[i - 1] + u[i + 1]) / 2 + 1;
#pragma acc parallel loop present(u, v)
#pragma xmp loop on t[i]
        for (int i = 1; i < N - 1; i++) u[i] = v[i];
    }
#pragma acc exit data copyout(u) delete (v)
    double x[N], y[N];
    for (int i = 0; i < N; i++) x[i] = y[i] = i;
    for (int step = 0; step < 5; step++) {
        for (int i = 1; i < N - 1; i++) y[i] = (x[i - 1] + x[i + 1]) / 2 + 1;
        for (int i = 1; i < N - 1; i++) x[i] = y[i];
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += u[i] != x[i];
    check(wrong, "reflect_init, reflect_do");
}
/* 4 */
static void overlapped(void) {
    int wrong = 0;
    set();
#pragma acc data copyin(u) copyout(v)
    {
#pragma xmp reflect(u) async(9) acc
#pragma acc parallel loop present(v)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) v[i] = 7;
#pragma xmp wait_async(9) acc
#pragma acc parallel loop present(u, v)
#pragma xmp loop on t[i]
        for (int i = 1; i < N - 1; i++) v[i] += u[i - 1] - u[i + 1];
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != (i > 0 && i < N - 1 ? 5 : 7);
    check(wrong, "reflect async");
}
/* 5 */
static void cubes(void) {
    int wrong = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < 3; k++) big[i][j][k] = i;
    w[0].n = w[0].n;
#pragma acc data copy(big)
    {
#pragma xmp reflect(big) width(/ periodic / 1, 0, 0) acc
#pragma acc parallel loop collapse(3) present(big)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++)
            for (int j = 1; j < M; j += 2)
                for (int k = 0; k < 3; k++) big[i][j][k] = big[i - 1][j - 1][k] * 100 + big[i + 1][j - 1][k];
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 1; j < M; j += 2)
            for (int k = 0; k < 3; k++) wrong += big[i][j][k] != (i + N - 1) % N * 100 + (i + 1) % N;
    check(wrong, "planes of a cube, periodic");
}
/* 6 */
static void values(void) {
    int wrong = 0, x = xmp_node_num(), n = xmp_num_nodes(), y[3] = {1, 2, 3};
    double m = xmp_node_num() * 1.5;
    struct pair one = {xmp_node_num(), xmp_node_num()};
#pragma acc enter data copyin(x, y, m, one)
    x = y[0] = y[1] = y[2] = -9;
    m = -9;
#pragma xmp reduction(+ : x, y) acc
#pragma xmp reduction(max : m) acc
#pragma xmp bcast(one) from p[n - 1] acc
    one.n = -9;
#pragma acc exit data copyout(x, y, m, one)
    wrong += x != n * (n + 1) / 2 || y[0] != n || y[1] != 2 * n || y[2] != 3 * n || m != n * 1.5 || one.n != n;
    check(wrong, "reduction, bcast");
}
/* 7 */
static void tasks(void) {
    int wrong = 0, x = 1, n = xmp_num_nodes();
#pragma acc enter data copyin(x)
#pragma xmp task on p[n - 1]
    {
#pragma acc serial present(x)
        x = 55;
    }
#pragma xmp bcast(x) from p[n - 1] on p acc
#pragma xmp barrier acc
#pragma acc exit data copyout(x)
    wrong += x != 55;
    check(wrong, "tasks");
}
/* 8 */
static void copies(void) {
    int wrong = 0;
    double local[N];
    set();
    for (int i = 0; i < N; i++) local[i] = 0;
#pragma xmp loop on c[i]
    for (int i = 0; i < N; i++) e[i] = i * 2;
#pragma acc enter data copyin(u, z, e, local, a, b) create(v)
#pragma xmp gmove acc
    v[:] = u[:];
#pragma xmp gmove acc
    z[:] = e[:];
#pragma xmp gmove acc
    local [0:10] = u [20:10];
#pragma xmp gmove acc
    u [0:18] = u [18:18];
#pragma xmp gmove acc
    b[:] [2:4] = a[:] [4:4];
#pragma acc exit data copyout(u, v, z, local, b) delete (e, a)
    for (int i = 0; i < 10; i++) wrong += local[i] != 20 + i;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != i || z[i] != 2 * i || u[i] != (i < 18 ? i + 18 : i);
#pragma xmp loop on s[i][j] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) wrong += b[i][j] != (j >= 2 && j < 6 ? 100 * i + j + 2 : 0);
    check(wrong, "gmove");
}
/* 9 */
static void scalars(void) {
    int wrong = 0;
    double x = 0;
    set();
#pragma acc data copy(u) copy(x)
    {
#pragma xmp gmove acc
        x = u[N - 3];
#pragma xmp gmove acc
        u [1:4] = 5;
    }
    wrong += x != N - 3;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += u[i] != (i >= 1 && i < 5 ? 5 : i);
    check(wrong, "gmove of a scalar, of a number");
}
/* 10 */
static void one_side(void) {
    int wrong = 0;
    set();
#pragma acc enter data copyin(v)
#pragma xmp gmove acc(v)
    v [0:N] = u [0:N];
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != -1;
#pragma xmp gmove async(2) acc(v)
    u [0:5] = v [10:5];
#pragma xmp wait_async(2)
#pragma acc exit data copyout(v)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != i || u[i] != (i < 5 ? i + 10 : i);
    check(wrong, "one side of a gmove");
}
/* 11 */
static void records(void) {
    int wrong = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) w[i].x = i, w[i].n = 2 * i;
#pragma acc data copy(w)
    {
#pragma xmp reflect(w) width(/ periodic / 1) acc
#pragma acc parallel loop present(w)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) w[i].x = w[i + 1].n - w[i - 1].n;
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += w[i].x != 2 * ((i + 1) % N) - 2 * ((i + N - 1) % N);
    check(wrong, "records");
}
/* 12 */
static void later(void) {
    int x = 3, y = 4, n = xmp_num_nodes();
#pragma acc enter data copyin(x, y)
#pragma xmp reduction(+ : x) async(1) acc
#pragma xmp bcast(y) from p[0] async(2) acc
#pragma xmp wait_async(1, 2) acc
#pragma acc exit data copyout(x, y)
    check((x != 3 * n) + (y != 4), "reduction, bcast async");
}
/* 13: halves of the nodes */
static void halves(void) {
    int wrong = 0, x = xmp_node_num(), n = xmp_num_nodes(), half = (n + 1) / 2;
#pragma acc enter data copyin(x)
#pragma xmp task on p[0 : half]
    {
#pragma xmp reduction(+ : x) acc
    }
#pragma acc exit data copyout(x)
    int const me = xmp_node_num();
    wrong += x != (me <= half ? half * (half + 1) / 2 : me);
    check(wrong, "half of the nodes");
}
int main(void) {
    widths();
    plane(0);
    plane(1);
    persistent();
    overlapped();
    cubes();
    values();
    tasks();
    copies();
    scalars();
    one_side();
    records();
    later();
    halves();
    return failures != 0;
}
