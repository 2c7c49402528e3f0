/* SPDX-License-Identifier: Apache-2.0 */
/* gmove with copies along dimensions of the nodes, rows, columns, single elements, and parts of one array that overlap. */
#include <stdio.h>
#include <xmp.h>

static int failures;

static void expect(int ok, int line) {
    if (!ok) {
        printf("node %d of %d: line %d\n", xmp_all_node_num(), xmp_all_num_nodes(), line);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

#pragma xmp nodes g[*][*]
#pragma xmp template t[12][10]
#pragma xmp distribute t[block][cyclic] onto g
int a[12][10], r[12], c[10], q[12];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align r[i] with t[i][*]
#pragma xmp align c[j] with t[*][j]
#pragma xmp align q[i] with t[i][*]

int main(void) {
    int x[12], y[10], s = 0;
#pragma xmp loop (i, j) on t[i][j]
    for (int i = 0; i < 12; i++) for (int j = 0; j < 10; j++) a[i][j] = 10 * i + j;
#pragma xmp gmove
    r[:] = a[:][4];
#pragma xmp gmove
    c[:] = a[7][:];
#pragma xmp gmove
    q[:] = a[:][5];
#pragma xmp gmove
    x[:] = r[:];
#pragma xmp gmove
    y[:] = c[:];
    for (int i = 0; i < 12; i++) EXPECT(x[i] == 10 * i + 4);
    for (int j = 0; j < 10; j++) EXPECT(y[j] == 70 + j);
#pragma xmp gmove
    x[:] = q[:];
    for (int i = 0; i < 12; i++) EXPECT(x[i] == 10 * i + 5);
#pragma xmp loop (i) on t[i][*]
    for (int i = 0; i < 12; i++) EXPECT(r[i] == 10 * i + 4);
#pragma xmp loop (j) on t[*][j]
    for (int j = 0; j < 10; j++) EXPECT(c[j] == 70 + j);
#pragma xmp gmove
    s = r[3];
    EXPECT(s == 34);
#pragma xmp gmove
    r[3] = s + 1;
#pragma xmp gmove
    a[2][:] = c[:];
#pragma xmp gmove
    y[:] = a[2][:];
    for (int j = 0; j < 10; j++) EXPECT(y[j] == 70 + j);
#pragma xmp gmove
    r[:] = 9;
#pragma xmp loop (i) on t[i][*]
    for (int i = 0; i < 12; i++) EXPECT(r[i] == 9);
#pragma xmp gmove
    a[:][:] = s;
    int z[12][10];
#pragma xmp gmove
    z[:][:] = a[:][:];
    for (int i = 0; i < 12; i++) for (int j = 0; j < 10; j++) EXPECT(z[i][j] == 34);
#pragma xmp gmove
    a[1][1] = a[2][2];
#pragma xmp gmove
    c[2:5] = c[1:5];
#pragma xmp gmove
    a[0:2][0:3] = z[4:2][1:3];

    return failures != 0;
}
