/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over cyclic dimensions, whose positions are counted and not computed: against the same loops on arrays of this rank. */
#include <stdio.h>
#include <xmp.h>

enum { N = 61, M = 23 };

#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic] onto p
#pragma xmp template t1[N + 2]
#pragma xmp distribute t1[cyclic(1)] onto p
#pragma xmp template t4[N]
#pragma xmp distribute t4[cyclic(4)] onto p
#pragma xmp template g[N][M]
#pragma xmp distribute g[*][cyclic(3)] onto p

long a[N], b[N], c[N], d[N], e[N], f[N][M];
long *absent;
#pragma xmp align[i] with t[i] :: a, b
#pragma xmp align c[i] with t1[i + 2]
#pragma xmp align d[i] with t4[i]
#pragma xmp align e[i] with t4[i]
#pragma xmp align f[i][j] with g[i][j]
#pragma xmp align absent[i] with t[i]

static long want[N], rows[N][M];
static int wrong;

static void compare(char const* what, long got, long expected) {
    if (got != expected) {
        printf("%s: %ld, expected %ld\n", what, got, expected);
        wrong = 1;
    }
}

#define TWICE(x) (2 * (x))

int main(void) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = 3 * i;
    int k; /* declared before, and another step */
#pragma xmp loop on t[k]
    for (k = 2; k <= N - 3; k += 1) {
        if (k % 5 == 0) continue;
        b[k] = a[k] + TWICE(a[k]) + k;
        if (k < 0) absent[k] = 1; /* it has no memory */
    }
    for (int i = 2; i <= N - 3; i++) want[i] = i % 5 == 0 ? 0 : 10 * i;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) compare("b", b[i], want[i]);

#pragma xmp loop on t1[i + 2]
    for (unsigned i = 1; i < N; ++i) c[i] = i;
    long sum = 0;
#pragma xmp loop on t1[i] reduction(+ : sum)
    for (long i = 3; i < N + 2; i++) sum += c[i - 2];
    compare("c", sum, (long)N * (N - 1) / 2);

#pragma xmp loop on t4[i]
    for (short i = 0; i < N; i++) d[i] = 7 * i;
#pragma xmp loop on t4[i]
    for (int i = 3; i < N - 5; i++) {
        {
            int i = 0; /* another one: not the index */
            if (i) e[i] = 1;
        }
        for (int n = 0; n < 3; n++) {
            if (n == 2) break;
            e[i] += d[i] + n;
        }
    }
#pragma xmp loop on t4[i]
    for (int i = 0; i < N; i++) compare("e", e[i], i >= 3 && i < N - 5 ? 14 * i + 1 : 0);

    for (int part = 0; part < 3; part++) { /* the same loop from elsewhere */
#pragma xmp loop on t4[i]
        for (int i = 9 * part; i < 9 * part + 2; i++) e[i] = -part;
    }
#pragma xmp loop on t4[i]
    for (int i = 18; i < 20; i++) compare("part", e[i], -2);

#pragma xmp loop(i, j) on g[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 1; j < M - 1; j++) f[i][j] = 100 * i + j;
    for (int i = 0; i < N; i++)
        for (int j = 1; j < M - 1; j++) rows[i][j] = 100 * i + j;
#pragma xmp loop(j) on g[*][j]
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++) compare("f", f[i][j], rows[i][j]);

    long place = -1, most = -1;
#pragma xmp loop on t4[i] reduction(firstmax : most / place /)
    for (int i = 0; i < N; i++)
        if (d[i] % 11 > most) {
            most = d[i] % 11;
            place = i;
        }
    compare("most", most, 10);
    compare("place", place, 3);

    if (wrong) return 1;
    if (xmp_node_num() == 1) printf("all right\n");
    return 0;
}
