/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned parameters as arrays and as pointers to rows, given on to other functions, and functions behind pointers. */
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
#pragma xmp template t[20][8]
#pragma xmp distribute t[block][*] onto p
double a[20][8], b[20][8];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with t[i][j]
#pragma xmp shadow a[1][0]
#pragma xmp shadow b[2][0]
static double sum(double x[20][8]) {
#pragma xmp align x[i][j] with t[i][j]
#pragma xmp shadow x[1][0]
    double s = 0;
#pragma xmp loop (i, j) on t[i][j] reduction(+:s)
    for (int i = 0; i < 20; i++) for (int j = 0; j < 8; j++) s += x[i][j];
    return s;
}
static double sum2(double (*x)[8]) {
#pragma xmp align x[i][j] with t[i][j]
    double s = 0;
#pragma xmp loop (i, j) on t[i][j] reduction(+:s)
    for (int i = 0; i < 20; i++) for (int j = 0; j < 8; j++) s += x[i][j];
    return s;
}
static void shift(double x[][8], int n) {
#pragma xmp align x[i][j] with t[i][j]
#pragma xmp shadow x[2][0]
    (void)n;
#pragma xmp reflect (x)
}
// Aligned pointers as arguments, of functions with and without `align`.
static double *w, (*v)[8];
#pragma xmp align w[i] with t[i][*]
#pragma xmp shadow w[1:2]
#pragma xmp align v[i][j] with t[i][j]
#pragma xmp shadow v[1][0]
static double line(double *x) {
#pragma xmp align x[i] with t[i][*]
#pragma xmp shadow x[1:2]
    double s = 0;
#pragma xmp loop (i) on t[i][*] reduction(+:s)
    for (int i = 0; i < 20; i++) s += x[i];
    return s;
}
static double *local(double *x) { return x; }
static double here(double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    return s;
}
static void pointers(void) {
    int owned;
    w = (double *)xmp_malloc(xmp_desc_of(w), 20);
    v = xmp_malloc(xmp_desc_of(v), 20, 8);
#pragma xmp loop (i) on t[i][*]
    for (int i = 0; i < 20; i++) {
        w[i] = i;
        for (int j = 0; j < 8; j++) v[i][j] = i;
    }
#pragma xmp reflect (w)
    EXPECT(line(w) == 190);
    EXPECT(sum2(v) == 8 * 190);
    EXPECT(sum(v) == 8 * 190);
    xmp_array_lsize(xmp_desc_of(w), 1, &owned);
    void *address;
    xmp_array_laddr(xmp_desc_of(w), &address);
    EXPECT(owned == 0 || local(w) == address);
    double part = owned > 0 ? here(local((double *)w) + 1, owned) : 0;
#pragma xmp reduction(+:part)
    EXPECT(part == 190);
    xmp_free(xmp_desc_of(w));
    xmp_free(xmp_desc_of(v));
}
static void raw(double *x, int k) { for (int i = 0; i < k; i++) x[i] += 0; }
static void twice(double x[20][8]) {
#pragma xmp align x[i][j] with t[i][j]
#pragma xmp loop (i) on t[i][*]
    for (int i = 0; i < 20; i++) for (int j = 0; j < 8; j++) x[i][j] *= 2;
    if (x != NULL) EXPECT(sum(x) != 1);
}

typedef double (*rows)[8];
static double qualified(double (*restrict x)[8], rows const y) { // a qualifier; the name of a type
#pragma xmp align x[i][j] with t[i][j]
#pragma xmp align y[i][j] with t[i][j]
#pragma xmp shadow x[1][0]
#pragma xmp shadow y[2][0]
    double s = 0;
#pragma xmp loop (i, j) on t[i][j] reduction(+:s)
    for (int i = 0; i < 20; i++) for (int j = 0; j < 8; j++) s += x[i][j] + y[i][j];
    return s;
}

int main(void) {

#pragma xmp loop (i, j) on t[i][j]
    for (int i = 0; i < 20; i++) for (int j = 0; j < 8; j++) { a[i][j] = i + j; b[i][j] = 2 * (i + j); }
    EXPECT(sum(b) == 2 * sum(a)); EXPECT(sum(a) == 20 * 8 * (9.5 + 3.5)); EXPECT(sum2(a) == sum(a)); 
    shift(b, 20);
#pragma xmp loop (i) on t[i][*]
    for (int i = 2; i < 18; i++) EXPECT(b[i-2][3] + b[i+2][3] == 4 * (i + 3));
    raw(&a[0][0] + 0 * xmp_node_num(), 0);
    twice(a);
    EXPECT(sum(a) == sum(b));
    void (*f)(double (*)[8]) = twice;
    f(b);
    EXPECT(2 * sum(a) == sum(b));
    EXPECT(qualified(a, b) == 3 * sum(a));
    pointers();

    return failures != 0;
}
