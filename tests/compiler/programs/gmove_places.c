/* SPDX-License-Identifier: Apache-2.0 */
/* gmove with members, pointers, rows and expressions of each rank's own memory. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failures;

static void expect(int ok, int line) {
    if (!ok) {
        printf("node %d of %d: line %d\n", xmp_all_node_num(), xmp_all_num_nodes(), line);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

#pragma xmp nodes p[*]
#pragma xmp template t[16]
#pragma xmp distribute t[block] onto p
double a[16], b[16];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
struct s { int k; double v[16]; double w; } st, *ps = &st;
double m[3][16];
double *dp;
int whole[16];
#pragma xmp align whole[i] with t[i]

int main(void) {
    dp = malloc(16 * sizeof *dp); double loc[16]; double *q = loc; int n = 16, off = 2;
#pragma xmp loop on t[i]
    for (int i = 0; i < 16; i++) { a[i] = i; b[i] = -i; }
#pragma xmp gmove
    st.v[0:16] = a[0:16];
    for (int i = 0; i < 16; i++) EXPECT(st.v[i] == i);
#pragma xmp gmove
    ps->v[2:4] = b[4:4];
    for (int i = 0; i < 4; i++) EXPECT(st.v[2+i] == -4 - i);
#pragma xmp gmove
    m[1][:] = a[:];
    for (int i = 0; i < 16; i++) EXPECT(m[1][i] == i);
#pragma xmp gmove
    dp[0:n] = a[0:n];
    for (int i = 0; i < 16; i++) EXPECT(dp[i] == i);
#pragma xmp gmove
    q[off:n-off] = b[off:n-off];
    for (int i = off; i < 16; i++) EXPECT(loc[i] == -i);
#pragma xmp gmove
    (q + 2)[0:3] = a[5:3];
    for (int i = 0; i < 3; i++) EXPECT(loc[2 + i] == 5 + i);
#pragma xmp gmove
    *q = a[9];
    EXPECT(loc[0] == 9);
#pragma xmp gmove
    st.w = a[11];
    EXPECT(st.w == 11);
#pragma xmp gmove
    a[3] = st.w * 2 + 1;
#pragma xmp gmove
    st.w = a[3];
    EXPECT(st.w == 23);
#pragma xmp gmove
    b[:] = m[1][:];
#pragma xmp gmove
    loc[:] = b[:];
    for (int i = 0; i < 16; i++) EXPECT(loc[i] == i);
#pragma xmp gmove
    a[0:4] = st.w;
#pragma xmp gmove
    b[0:2] = st.v[5:2];

    // Pointers to rows, and arrays of pointers.
    double(*rows)[16] = malloc(3 * sizeof *rows), *lines[2] = {rows[0], rows[2]}, **line = lines;
#pragma xmp loop on t[i]
    for (int i = 0; i < 16; i++) a[i] = 3 * i;
#pragma xmp gmove
    rows[1][:] = a[:];
#pragma xmp gmove
    lines[0][2:3] = a[5:3];
#pragma xmp gmove
    line[1][0:16] = rows[1][0:16];
    for (int i = 0; i < 16; i++) EXPECT(rows[1][i] == 3 * i && rows[2][i] == 3 * i);
    for (int i = 0; i < 3; i++) EXPECT(rows[0][2 + i] == 3 * (5 + i));
#pragma xmp gmove
    b[0:2] = rows[1:2][4];
#pragma xmp loop on t[i]
    for (int i = 0; i < 2; i++) EXPECT(b[i] == 12);
    free(rows);
    // Elements of another type become what C's assignment makes of them.
    float _Complex both[16];
    short few[3];
#pragma xmp loop on t[i]
    for (int i = 0; i < 16; i++) a[i] = i + 0.75;
#pragma xmp gmove
    whole[:] = a[:];
#pragma xmp gmove
    b[:] = whole[:];
#pragma xmp gmove
    loc[0:16] = whole[0:16];
    for (int i = 0; i < 16; i++) EXPECT(loc[i] == i);
#pragma xmp gmove
    both[:] = b[:];
    for (int i = 0; i < 16; i++) EXPECT(both[i] == i);
#pragma xmp gmove
    whole[2:4] = loc[9:4];
#pragma xmp gmove
    a[0:3] = whole[4];
#pragma xmp gmove async(2)
    few[0:3] = a[0:3];
#pragma xmp wait_async(2)
    for (int i = 0; i < 3; i++) EXPECT(few[i] == 11);
#pragma xmp gmove
    few[0:3] = b[7];
    EXPECT(few[0] == 7 && few[2] == 7);
#pragma xmp gmove
    st.k = a[9];
    EXPECT(st.k == 9);
    return failures != 0;
}
