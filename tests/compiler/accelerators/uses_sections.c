/* SPDX-License-Identifier: Apache-2.0 */
/* `acc` of gmove, reduction, bcast and barrier with sections, steps and parts of the nodes; aligned pointers and parameters; small
 * parts in clauses. */
#include <stdio.h>
#include <xmp.h>
#define N 24
#define M 6
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic(2)] onto p
int a[N], b[N], h[N][M], k[N];
int* heap;
double w[N][M][2];
#pragma xmp align[i] with t[i] ::a, b
#pragma xmp align h[i][*] with t[i]
#pragma xmp align w[i][*][*] with t[i]
#pragma xmp align k[i] with c[i]
#pragma xmp align heap[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp shadow heap[1]
#pragma xmp shadow w[1][0][0]
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmp_node_num() == 1) printf("%d wrong: %s\n", wrong, what);
}
static void set(int base) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        a[i] = base + i;
        b[i] = base - i;
        for (int j = 0; j < M; j++) h[i][j] = base + 10 * i + j, w[i][j][0] = w[i][j][1] = base + i;
    }
#pragma xmp loop on c[i]
    for (int i = 0; i < N; i++) k[i] = base + i;
}
/* 1 */
static void one_sided(void) {
    int wrong = 0;
    set(0);
#pragma acc enter data copyin(a, b)
    set(70);
#pragma xmp gmove in acc
    b [N - 2:2] = a [0:2];
#pragma xmp barrier acc
#pragma acc exit data copyout(a, b)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != i || b[i] != (i >= N - 2 ? i - (N - 2) : -i);
    check(wrong, "gmove in acc");
}
/* 2 */
static void gout(int base) {
    int wrong = 0, l[4] = {base + 1, base + 2, base + 3, base + 4};
    set(0);
#pragma acc enter data copyin(a, l)
    set(70);
    l[0] = l[1] = -1;
#pragma xmp gmove out acc
    a [1:4] = l [0:4];
#pragma xmp barrier acc
#pragma acc exit data copyout(a) delete (l)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != (i >= 1 && i < 5 ? base + i : i);
    check(wrong, "gmove out acc");
}
/* 3 */
static void subset(void) {
    int wrong = 0, n = xmp_num_nodes(), me = xmp_node_num(), half = n / 2 + 1, x[3] = {me, 2 * me, 3 * me}, y = me;
#pragma acc enter data copyin(x, y)
    x[0] = x[1] = x[2] = y = -1;
#pragma xmp reduction(+ : x) on p[0 : half] acc
#pragma xmp bcast(y) from p[half - 1] on p[0 : half] acc
#pragma xmp barrier on p[0 : half] acc
#pragma acc exit data copyout(x, y)
    int s = half * (half + 1) / 2;
    for (int j = 0; j < 3; j++) wrong += x[j] != (j + 1) * (me <= half ? s : me);
    wrong += y != (me <= half ? half : me);
    check(wrong, "on a part");
}
/* 4 */
static void heaped(void) {
    int wrong = 0;
    heap = (int*)xmp_malloc(xmp_desc_of(heap), N);
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) heap[i] = i;
#pragma acc enter data copyin(heap [0:N / 2])
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) heap[i] = 500 + i;
#pragma acc update device(heap [N / 2:N / 2])
#pragma xmp reflect(heap) width(/ periodic / 1) acc
#pragma acc enter data create(b)
#pragma acc parallel loop present(heap, b)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) b[i] = heap[i - 1] + 1000 * heap[i + 1];
#pragma acc exit data copyout(b)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) {
        int l = (i + N - 1) % N, r = (i + 1) % N;
        wrong += b[i] != (l < N / 2 ? l : 500 + l) + 1000 * (r < N / 2 ? r : 500 + r);
    }
    xmp_free(xmp_desc_of(heap));
    check(wrong, "pointers");
}
static void param(int n, int v[n], double z[n][M][2]) {
#pragma xmp align v[i] with t[i]
#pragma xmp align z[i][*][*] with t[i]
#pragma xmp shadow z[1][0][0]
#pragma acc data present(v) copy(z)
    {
#pragma xmp reflect(z) width(/ periodic / 1, 0, 0) acc
#pragma acc parallel loop present(v, z)
#pragma xmp loop on t[i]
        for (int i = 0; i < n; i++) v[i] = (int)(z[i - 1][0][0] + z[i + 1][M - 1][1]);
    }
}
/* 5 */
static void params(void) {
    int wrong = 0;
    set(3);
#pragma acc data copyout(b)
    param(N, b, w);
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += b[i] != 6 + (i + N - 1) % N + (i + 1) % N;
    check(wrong, "parameters");
}
/* 6 */
static void moves(void) {
    int wrong = 0, l[M];
    set(0);
    for (int j = 0; j < M; j++) l[j] = -4;
#pragma acc enter data copyin(h, k, a, l)
    set(60);
#pragma xmp gmove acc
    l[:] = h[N - 2][:];
#pragma xmp gmove acc
    h[3] [0:4] = k [4:4];
#pragma xmp gmove acc
    a [N - 1:4:-2] = k [0:4];
#pragma xmp gmove acc
    k [8:3] = l [0:3];
#pragma acc exit data copyout(h, k, a, l)
    for (int j = 0; j < M; j++) wrong += l[j] != 10 * (N - 2) + j;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) wrong += h[i][j] != (i == 3 && j < 4 ? 4 + j : 10 * i + j);
        int from = N - 1 - i;
        wrong += a[i] != (from % 2 == 0 && from < 8 ? from / 2 : i);
    }
#pragma xmp loop on c[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += k[i] != (i >= 8 && i < 11 ? 10 * (N - 2) + i - 8 : i);
    check(wrong, "gmove");
}
/* 7 */
static void small(int base) {
    int wrong = 0;
    set(base);
#pragma acc enter data copyin(a, h)
#pragma acc parallel loop present(a, h)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] += 100, h[i][0] += 100, h[i][M - 1] += 100;
#pragma acc update self(a[7], h[2][0])
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        wrong += a[i] != base + i + (i == 7 ? 100 : 0) || h[i][0] != base + 10 * i + (i == 2 ? 100 : 0) ||
                 h[i][M - 1] != base + 10 * i + M - 1;
#pragma acc exit data delete (a, h)
    check(wrong, "small parts");
}
/* 8 */
static void async_values(void) {
    int n = xmp_num_nodes(), x[4] = {1, 2, 3, 4}, y = xmp_node_num(), wrong = 0;
#pragma acc enter data copyin(x, y)
#pragma acc parallel loop async(3) present(x)
    for (int i = 0; i < 4; i++) x[i] *= 2;
#pragma acc wait(3)
#pragma xmp reduction(+ : x [1:2]) async(8) acc
#pragma xmp bcast(y) from p[n - 1] async(9) acc
#pragma xmp wait_async(8, 9) on p acc
#pragma acc exit data copyout(x, y)
    wrong += x[0] != 2 || x[1] != 4 * n || x[2] != 6 * n || x[3] != 8 || y != n;
    check(wrong, "async values");
}
int main(void) {
    one_sided();
    gout(10);
    gout(20);
    subset();
    heaped();
    params();
    moves();
    small(0);
    small(3); /* what was deleted comes anew */
    async_values();
    return failures != 0;
}
