/* SPDX-License-Identifier: Apache-2.0 */
/* Halos in all their forms: asynchronous, planned once, backwards, everything, without corners. */
#include <stdio.h>
#include <xmp.h>

#define N 24
#define M 18
#pragma xmp nodes p[*]
#pragma xmp nodes q[*][*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template s[N][M]
#pragma xmp distribute s[block][block] onto q
long a[N], b[N], whole[N];
#pragma xmp align[i] with t[i] ::a, b, whole
#pragma xmp shadow[1 : 2] ::a, b
#pragma xmp shadow whole[*]
int c[N][M], d[N][M];
#pragma xmp align[i][j] with s[i][j] ::c, d
#pragma xmp shadow[1][1] ::c, d

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
        failures++;
    }
}

static int count(void) {
    int wrong = 0;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 1; i < N - 2; i++)
        wrong += a[i - 1] != 100 + i - 1 || a[i + 1] != 100 + i + 1 || a[i + 2] != 100 + i + 2 || b[i - 1] != -i + 1 ||
                 b[i + 2] != -i - 2;
    return wrong;
}

static void fill(long factor) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        a[i] = factor * (100 + i);
        b[i] = -factor * i;
        whole[i] = 7 * i;
    }
}

int main(void) {
    fill(1);
#pragma xmp reflect(a, b)
    expect(count() == 0, "reflect");
    fill(0);
#pragma xmp barrier
    fill(1);
#pragma xmp reflect(a) async(3)
#pragma xmp reflect(b) async(4)
#pragma xmp wait_async(4, 3)
    expect(count() == 0, "reflect async");
#pragma xmp reflect_init(a, b) width(1 : 2)
    for (int round = 2; round < 5; round++) {
        fill(round);
#pragma xmp reflect_do(a, b)
        int wrong = 0;
#pragma xmp loop on t[i] reduction(+ : wrong)
        for (int i = 1; i < N - 2; i++) wrong += a[i - 1] != round * (100 + i - 1) || b[i + 2] != -round * (i + 2);
        expect(wrong == 0, "reflect_do");
    }
#pragma xmp reflect(whole)
    for (int i = 0; i < N; i++) expect(whole[i] == 7 * i, "a full shadow");

        /* Each rank adds 1 to what it can reach, and owners get the sum. */
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = 0;
#pragma xmp reflect(a) width(/ periodic / 1 : 2)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        a[i - 1] += 1;
        a[i + 1] += 10;
        a[i + 2] += 100;
    }
#pragma xmp reduce_shadow(a) width(/ periodic / 1 : 2)
    int wrong = 0;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += a[i] != 111;
    expect(wrong == 0, "reduce_shadow");

#pragma xmp loop(i, j) on s[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) c[i][j] = d[i][j] = i * M + j;
#pragma xmp reflect(c)
#pragma xmp reflect(d) orthogonal
    wrong = 0;
#pragma xmp loop(i, j) on s[i][j] reduction(+ : wrong)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++) {
            for (int k = -1; k < 2; k++)
                for (int l = -1; l < 2; l++) wrong += c[i + k][j + l] != (i + k) * M + j + l;
            wrong += d[i - 1][j] != (i - 1) * M + j || d[i][j + 1] != i * M + j + 1;
        }
    expect(wrong == 0, "reflect in two dimensions");
    return failures != 0;
}
