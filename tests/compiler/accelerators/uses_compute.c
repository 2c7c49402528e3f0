/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels as programs write them: clauses of loops, reductions, private variables, nests, both orders, several loops of one
 * construct. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>

#define N 41
#define M 9
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic] onto p
#pragma xmp template h[2 * N]
#pragma xmp distribute h[block] onto p
double u[N], v[N];
double m[N][M], q[N][M][4];
int e[N], sh[N];
struct cell {
    float x;
    int n;
};
struct cell cells[N];
#pragma xmp align[i] with t[i] ::u, v, cells
#pragma xmp align m[i][*] with t[i]
#pragma xmp align q[i][*][*] with t[i]
#pragma xmp align e[i] with c[i]
#pragma xmp align sh[i] with h[i + 30]
#pragma xmp shadow u[1]
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}
static void set(void) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        u[i] = i;
        v[i] = -1;
        for (int j = 0; j < M; j++) m[i][j] = 100 * i + j;
    }
}
/* 1 */
static void sums(void) {
    double sum = 0, big = -1, small = 1e9;
    int n = 0, all = 1;
    set();
#pragma xmp loop on t[i] reduction(+ : sum) reduction(max : big) reduction(min : small)
#pragma acc parallel loop copyin(u) reduction(+ : sum) reduction(max : big) reduction(min : small)
    for (int i = 0; i < N; i++) {
        sum += u[i];
        if (u[i] > big) big = u[i];
        if (u[i] < small) small = u[i];
    }
#pragma acc parallel loop copyin(u) reduction(+ : n) reduction(&& : all)
#pragma xmp loop on t[i] reduction(+ : n) reduction(&& : all)
    for (int i = 0; i < N; i++) {
        n += 1;
        all = all && u[i] >= 0;
    }
    check((sum != N * (N - 1) / 2) + (big != N - 1) + (small != 0) + (n != N) + !all, "reductions");
}
/* 2 */
static void sums_there(void) {
    double sum = 0;
    int wrong = 0;
    set();
#pragma acc data copyin(u) copy(sum)
    {
        for (int step = 0; step < 3; step++) {
#pragma acc serial present(sum)
            sum = step;
#pragma xmp loop on t[i] reduction(+ : sum) acc
#pragma acc parallel loop reduction(+ : sum) present(u, sum)
            for (int i = 0; i < N; i++) sum += u[i];
        }
        wrong += sum != 0;
    }
    check(wrong + (sum != 2 + N * (N - 1) / 2), "reductions on the device");
}
/* 3 */
static void privates(void) {
    int wrong = 0, f = 5;
    double x = 3, y[2];
    set();
#pragma acc parallel loop copyin(u) copyout(v) private(x, y) firstprivate(f)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        x = u[i] * 2;
        y[0] = x;
        y[1] = 1;
        v[i] = y[0] + y[1] + f;
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != 2 * i + 6;
    check(wrong + (x != 3), "private, firstprivate");
}
/* 4 */
static void levels(void) {
    int wrong = 0;
    set();
#pragma acc parallel loop gang copy(m) num_gangs(4) num_workers(2) vector_length(32)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        double row = 0;
#pragma acc loop vector reduction(+ : row)
        for (int j = 0; j < M; j++) row += m[i][j];
#pragma acc loop worker vector
        for (int j = 0; j < M; j++) m[i][j] = row + j;
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) wrong += m[i][j] != 100.0 * i * M + M * (M - 1) / 2 + j;
    check(wrong, "gang, worker, vector");
}
/* 5 */
static void cube(void) {
    int wrong = 0;
#pragma acc data copyout(q)
    {
#pragma xmp loop on t[i]
#pragma acc parallel loop collapse(3) present(q)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                for (int k = 0; k < 4; k++) q[i][j][k] = i * 1000 + j * 10 + k;
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < 4; k++) wrong += q[i][j][k] != i * 1000 + j * 10 + k;
    check(wrong, "collapse(3)");
}
/* 6 */
static void tiled(void) {
    int wrong = 0;
    set();
#pragma acc kernels loop independent copy(m)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
#pragma acc loop independent tile(4)
        for (int j = 0; j < M; j++) m[i][j] *= -1;
    }
#pragma acc parallel copy(m)
    {
#pragma xmp loop on t[i]
#pragma acc loop gang
        for (int i = 0; i < N; i++)
#pragma acc loop seq
            for (int j = 1; j < M; j++) m[i][j] += m[i][j - 1];
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) {
        double row = 0;
        for (int j = 0; j < M; j++) {
            row -= 100 * i + j;
            wrong += m[i][j] != row;
        }
    }
    check(wrong, "tile, seq");
}
/* 7 */
static void cyclic(void) {
    int wrong = 0;
#pragma acc parallel loop copyout(e)
#pragma xmp loop on c[i]
    for (int i = 0; i < N; i++) e[i] = 3 * i;
#pragma acc parallel loop copy(e)
#pragma xmp loop on c[i]
    for (int i = N - 2; i > 3; i--) e[i] += 1;
#pragma xmp loop on c[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += e[i] != 3 * i + (i > 3 && i < N - 1);
    check(wrong, "cyclic");
}
/* 8 */
static void shifted(void) {
    int wrong = 0;
#pragma acc parallel loop copyout(sh)
#pragma xmp loop on h[i + 30]
    for (int i = 0; i < N; i++) sh[i] = i;
#pragma acc kernels loop copy(sh [4:30])
#pragma xmp loop on h[i + 30]
    for (int i = 4; i < 34; i += 3) sh[i] *= 2;
#pragma xmp loop on h[i + 30] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += sh[i] != i * (i >= 4 && i < 34 && (i - 4) % 3 == 0 ? 2 : 1);
    check(wrong, "an alignment with an offset, a step");
}
/* 9 */
static void structures(void) {
    int wrong = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) cells[i].x = i, cells[i].n = 1;
#pragma acc parallel loop copy(cells)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        struct cell* one = &cells[i];
        one->n += (int)cells[i].x;
        cells[i].x = sqrtf(cells[i].x);
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += cells[i].n != i + 1 || fabsf(cells[i].x - sqrtf((float)i)) > 1e-5f;
    check(wrong, "structures");
}
/* 10 */
#pragma acc routine seq
static double twice(double x) {
    return 2 * x;
}
static void routines(void) {
    int wrong = 0, hits = 0;
    set();
#pragma acc parallel loop copyin(u) copyout(v) copy(hits) default(none)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        v[i] = twice(u[i]);
#pragma acc atomic update
        hits += 1;
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != 2 * i;
#pragma xmp reduction(+ : hits)
    check(wrong + (hits != N), "routine, atomic, default(none)");
}
/* 11 */
static void inner_bounds(void) {
    int wrong = 0;
    set();
    int first[N];
    for (int i = 0; i < N; i++) first[i] = i % M;
#pragma acc parallel loop copy(m) copyin(first)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
#pragma acc cache(m [i:1] [0:M])
        for (int j = first[i]; j < M; j++) m[i][j] = -1;
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) wrong += m[i][j] != (j >= i % M ? -1 : 100 * i + j);
    check(wrong, "bounds from an array, cache");
}
/* 12 */
static void sections(int lower, int upper) {
    int wrong = 0;
    set();
    int i;
#pragma acc parallel loop copyout(v [lower:upper - lower]) copyin(u)
#pragma xmp loop(i) on t[i]
    for (i = lower; i <= upper - 1; ++i) v[i] = u[i];
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (i = 0; i < N; i++) wrong += v[i] != (i >= lower && i < upper ? i : -1);
    check(wrong, "bounds that are variables");
}
/* 13 */
static void on_host(void) {
    int wrong = 0;
    set();
#pragma acc data copyin(u)
    {
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) u[i] = 0;
#pragma acc parallel loop if (0) copyout(v)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) v[i] = u[i] + 9;
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != 9;
    check(wrong, "if (0): the host's own");
}
/* 14 */
static void two_templates(void) {
    int wrong = 0, i, j;
    set();
    double loc[N];
#pragma xmp align loc[i] with t[i]
#pragma acc enter data copyin(u) create(loc)
    for (int step = 0; step < 4; step++) {
#pragma xmp loop(i) on t[i]
#pragma acc parallel loop present(u, loc)
        for (i = 0; i < N; i++) loc[i] = u[i] + step;
#pragma acc parallel loop present(u, loc)
#pragma xmp loop(j) on t[j]
        for (j = 0; j < N; j++) u[j] = loc[j];
    }
#pragma acc exit data delete (loc)copyout(u)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (i = 0; i < N; i++) wrong += u[i] != i + 6;
    check(wrong, "local arrays, steps");
}
int main(void) {
    sums();
    sums_there();
    privates();
    levels();
    cube();
    tiled();
    cyclic();
    shifted();
    structures();
    routines();
    inner_bounds();
    sections(5, 22);
    on_host();
    two_templates();
    return failures != 0;
}
