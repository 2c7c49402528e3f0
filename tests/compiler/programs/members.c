/* SPDX-License-Identifier: Apache-2.0 */
/* Distributed members of structures, also pointers; arrays of structures. */
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

#pragma xmp nodes p[*]
#pragma xmp nodes g[*][*]
#pragma xmp template t[20]
#pragma xmp template u[12][10]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute u[block][cyclic] onto g
struct field { int k; double a[20]; float m[12][10]; double *q; struct { int z[20]; } in; };
static struct field s;
struct field w;
#pragma xmp align s.a[i] with t[i]
#pragma xmp align s.m[i][j] with u[i][j]
#pragma xmp align w.a[i] with t[i]
#pragma xmp align s.in.z[i] with t[i]
#pragma xmp align s.q[i] with t[i]
#pragma xmp shadow s.a[1]
#pragma xmp shadow s.q[1]
struct cell { double v[3]; int n; } c[20];
#pragma xmp align c[i] with t[i]
#pragma xmp shadow c[1]
static double total(void) {
    double r = 0;
#pragma xmp loop (i) on t[i] reduction(+:r)
    for (int i = 0; i < 20; i++) r += s.a[i];
    return r;
}

int main(void) {
    s.k = 3; w.k = 4;
#pragma xmp loop (i) on t[i]
    for (int i = 0; i < 20; i++) { s.a[i] = i; w.a[i] = 2 * s.a[i] + s.k; s.in.z[i] = -i; c[i].n = i; c[i].v[1] = 3 * i; }
#pragma xmp reflect (s.a, c)
#pragma xmp loop (i) on t[i]
    for (int i = 1; i < 19; i++) { EXPECT(s.a[i-1] + s.a[i+1] == 2 * i); EXPECT(c[i-1].n + c[i+1].n == 2 * i && c[i+1].v[1] == 3 * (i + 1)); }
    EXPECT(total() == 190);
    double x[20]; int z[20];
#pragma xmp gmove
    x[:] = w.a[:];
    for (int i = 0; i < 20; i++) EXPECT(x[i] == 2 * i + 3);
#pragma xmp gmove
    s.a[3:5] = w.a[0:5];
#pragma xmp gmove
    x[:] = s.a[:];
    for (int i = 0; i < 5; i++) EXPECT(x[3 + i] == 2 * i + 3);
#pragma xmp gmove
    z[:] = s.in.z[:];
    for (int i = 0; i < 20; i++) EXPECT(z[i] == -i);
#pragma xmp loop (i, j) on u[i][j]
    for (int i = 0; i < 12; i++) for (int j = 0; j < 10; j++) s.m[i][j] = 10 * i + j;
    float f[12][10];
#pragma xmp gmove
    f[:][:] = s.m[:][:];
    for (int i = 0; i < 12; i++) for (int j = 0; j < 10; j++) EXPECT(f[i][j] == 10 * i + j);
#pragma xmp array on t[:]
    s.a[:] = w.a[:] * 2;
#pragma xmp array on t[2:5]
    c[2:5].n = 7;
#pragma xmp array on u[:][:]
    s.m[:][:] += 1;
#pragma xmp loop (i) on t[i]
    for (int i = 0; i < 20; i++) { EXPECT(s.a[i] == 2 * (2 * i + 3)); EXPECT(c[i].n == (i >= 2 && i < 7 ? 7 : i)); }
    s.q = xmp_malloc(xmp_desc_of(s.q), 20);
#pragma xmp loop (i) on t[i]
    for (int i = 0; i < 20; i++) s.q[i] = i;
#pragma xmp reflect (s.q)
    double r = 0;
#pragma xmp loop (i) on t[i] reduction(+:r)
    for (int i = 1; i < 19; i++) r += s.q[i-1] + s.q[i+1];
    EXPECT(r == 18 * 19.);
#pragma xmp gmove
    x[:] = s.q[:];
    EXPECT(x[13] == 13);
    struct cell one[20];
#pragma xmp gmove
    one[:] = c[:];
    EXPECT(one[19].v[1] == 57);
    EXPECT(sizeof s.a == 20 * sizeof(double));
    int n = 0; xmp_array_gsize(xmp_desc_of(s.a), 1, &n); EXPECT(n == 20);
    { struct field s; s.a[0] = 5; s.a[1] = 6; EXPECT(s.a[0] + s.a[1] == 11); }
    struct field loc;
#pragma xmp align loc.a[i] with t[i]
#pragma xmp loop (i) on t[i]
    for (int i = 0; i < 20; i++) loc.a[i] = i;
#pragma xmp gmove
    x[:] = loc.a[:];
    EXPECT(x[7] == 7);
    xmp_free(xmp_desc_of(s.q));

    return failures != 0;
}
