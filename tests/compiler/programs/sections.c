/* SPDX-License-Identifier: Apache-2.0 */
/* Assignments of array sections: of each rank's own arrays, and of distributed ones below `array`. */
#include <stdio.h>
#include <xmp.h>

#define N 20
#pragma xmp nodes p[*]
#pragma xmp template t[N][6]
#pragma xmp distribute t[block][*] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic(2)] onto p
double a[N][6], b[N][6];
#pragma xmp align[i][j] with t[i][j] ::a, b
int x[N], y[N - 1];
#pragma xmp align x[i] with c[i]
#pragma xmp align y[i] with c[i + 1]

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
        failures++;
    }
}

int main(void) {
    int own[12], other[12], square[4][5], n = 12;
    int* pointer = own;
    own[:] = 3;
    for (int i = 0; i < n; i++) other[i] = i;
    own [0:6] = other [0:6:2] + 100;
    for (int i = 0; i < n; i++) expect(own[i] == (i < 6 ? 100 + 2 * i : 3), "a section with a step");
    other [1:11] = other [0:11]; // overlapping
    for (int i = 0; i < n; i++) expect(other[i] == (i > 0 ? i - 1 : 0), "sections that overlap");
    pointer [2:3] *= 2;
    expect(own[1] == 102 && own[2] == 208 && own[4] == 216 && own[5] == 110, "an assignment that multiplies");
    square[:][:] = 7;
    if (n > 3)
        square [1:2] [0:3:2] = square [2:2] [0:3] - own[n - 1];
    else
        square[0] [0:2] = 1;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++) expect(square[i][j] == (i >= 1 && i < 3 && j % 2 == 0 ? 4 : 7), "two dimensions");
    square[3][:] = own [0:5];
    for (int j = 0; j < 5; j++) expect(square[3][j] == own[j], "a row");

#pragma xmp array on t[ : ][ : ]
    a[:][:] = 2;
#pragma xmp array on t[ : ][ : ]
    b [1:N - 2] [0:3:2] = a [1:N - 2] [1:3] + 1;
#pragma xmp array on t[5][ : ]
    b[5][:] = 9;
    int wrong = 0;
#pragma xmp loop(i, j) on t[i][j] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 6; j++) wrong += b[i][j] != (i == 5 ? 9 : i > 0 && i < N - 1 && j % 2 == 0 && j < 5 ? 3 : 0);
    expect(wrong == 0, "array on a block distribution");

#pragma xmp array on c[ : ]
    x[:] = 5;
#pragma xmp array on c[ : ]
    x [0:7:3] += 1;
#pragma xmp array on c[ : ]
    y[:] = 2 * x [1:N - 1];
    wrong = 0;
#pragma xmp loop on c[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += x[i] != (i % 3 == 0 ? 6 : 5);
#pragma xmp loop on c[i + 1] reduction(+ : wrong)
    for (int i = 0; i < N - 1; i++) wrong += y[i] != ((i + 1) % 3 == 0 ? 12 : 10);
    expect(wrong == 0, "array on a cyclic distribution");
    return failures != 0;
}
