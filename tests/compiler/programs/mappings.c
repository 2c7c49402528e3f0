/* SPDX-License-Identifier: Apache-2.0 */
/* Every format in both notations: each element is written by its owner, read through gmove, and counted once. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

#define N 37
#pragma xmp nodes p(*)
#pragma xmp template tb(0 : N - 1)
#pragma xmp template t1(1 : N + 3)
#pragma xmp template tc[N]
#pragma xmp template tk[N]
#pragma xmp template tw[N]
#pragma xmp distribute tb(block) onto p
#pragma xmp distribute t1(block) onto p
#pragma xmp distribute tc[cyclic] onto p
#pragma xmp distribute tk[cyclic(3)] onto p
#pragma xmp distribute tw[block(N)] onto p
int a[N], shifted[N], c[N], k[N], w[N], two[N][5], five[5][N];
#pragma xmp align a[i] with tb(i)
#pragma xmp align shifted[i] with t1(i + 2)
#pragma xmp align c[i] with tc[i]
#pragma xmp align k[i] with tk[i]
#pragma xmp align w[i] with tw[i]
#pragma xmp align two[i][*] with tk[i]
#pragma xmp align five[*][i] with tb(i)

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
        failures++;
    }
}

int main(void) {
    int got[N], got2[N][5], count = 0;
#pragma xmp loop(i) on tb(i)
    for (int i = 0; i < N; i++) a[i] = 3 * i;
#pragma xmp loop(i) on t1(i + 2) reduction(+ : count)
    for (int i = 0; i <= N - 1; i += 1) {
        shifted[i] = 5 * i;
        count++;
    }
    expect(count == N, "a shifted loop runs each iteration once");
#pragma xmp loop on tc[i]
    for (int i = N - 1; i >= 0; i--) c[i] = 7 * i;
#pragma xmp loop on tk[i]
    for (long i = 0; i < N; ++i) {
        k[i] = 11 * (int)i;
        for (int j = 0; j < 5; j++) two[i][j] = (int)i * 10 + j;
    }
#pragma xmp loop on tw[i]
    for (unsigned i = 0; i != N; i++) w[i] = 13 * (int)i;
#pragma xmp loop on tb(i)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 5; j++) five[j][i] = j * 100 + i;

#pragma xmp gmove
    got [0:N] = a [0:N];
    for (int i = 0; i < N; i++) expect(got[i] == 3 * i, "block");
#pragma xmp gmove
    got[:] = shifted[:];
    for (int i = 0; i < N; i++) expect(got[i] == 5 * i, "block with an offset");
#pragma xmp gmove
    got [0:N] = c [0:N];
    for (int i = 0; i < N; i++) expect(got[i] == 7 * i, "cyclic");
#pragma xmp gmove
    got[:] = k[:];
    for (int i = 0; i < N; i++) expect(got[i] == 11 * i, "cyclic(3)");
#pragma xmp gmove
    got[:] = w[:];
    for (int i = 0; i < N; i++) expect(got[i] == 13 * i, "block(N)");
#pragma xmp gmove
    got2[:][:] = two[:][:];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 5; j++) expect(got2[i][j] == i * 10 + j, "cyclic rows");
#pragma xmp gmove
    got[:] = five[2][:];
    for (int i = 0; i < N; i++) expect(got[i] == 200 + i, "columns");

        // Between two arrays, with a step.
#pragma xmp gmove
    a [0:12:3] = k [1:12:2];
#pragma xmp gmove
    got[:] = a[:];
    for (int i = 0; i < N; i++) expect(got[i] == (i < 36 && i % 3 == 0 ? 11 * (1 + i / 3 * 2) : 3 * i), "a section of a section");
    int one = -1;
#pragma xmp gmove
    one = c[17];
    expect(one == 119, "one element");

    // Steps and backward loops in cyclic dimensions.
    int evens = 0, odds = 0;
#pragma xmp loop on tk[i] reduction(+ : evens)
    for (int i = 0; i < N; i += 2) evens += i;
#pragma xmp loop on tk[i] reduction(+ : odds)
    for (int i = N - 2; i > 0; i = i - 2) odds += i;
    expect(evens == 342 && odds == 324, "steps");
    int triangle = 0;
#pragma xmp loop(i, j) on tb(j) reduction(+ : triangle)
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++) triangle++;
    expect(triangle == N * (N + 1) / 2, "a triangle");
    expect(sizeof(two) == sizeof(int) * N * 5 && sizeof two[0] == sizeof(int) * 5, "sizes are global");
    return failures != 0;
}
