/* SPDX-License-Identifier: Apache-2.0 */
/* Coarrays of structures, of several dimensions, complex and long; in functions; sections of them; what orders them. */
#include <complex.h>
#include <stdio.h>
#include <string.h>
#include <xmp.h>

static int failures;

static void expect(int ok, int line) {
    if (!ok) {
        printf("node %d of %d: line %d\n", xmp_all_node_num(), xmp_all_num_nodes(), line);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

struct rec { int a; double v[4]; struct { char c; } in; };
struct rec r[5]:[*], one:[*];
static int flag:[*]; double m[3][4]:[*]; _Complex double z:[*]; long double ld:[*]; xmp_lock_t lk:[*];
float cube[2][3][4]:[*];
static int get(int k) { return r[2].a:[k]; }
static void put(int k, double *from, int n) { r[1].v[0:n]:[k] = from[0:n]; }

int main(void) {
    int me = xmpc_this_image(), n = xmp_num_images(), right = (me + 1) % n, left = (me + n - 1) % n, st = -1;
    r[2].a = 10 + me; one.in.c = 'a' + me; z = me + I; ld = me * 0.5L;
    for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) m[i][j] = 100 * me + 10 * i + j;
    xmp_sync_all(&st); EXPECT(st == XMP_STAT_OK);
    EXPECT(get(right) == 10 + right); EXPECT(one.in.c:[left] == 'a' + left); EXPECT(creal(z:[right]) == right); EXPECT(ld:[right] == right * 0.5L);
    double f[4] = {1, 2, 3, me}; put(right, f, 4);
    struct rec c = one:[right]; EXPECT(c.in.c == 'a' + right);
    double g[4]; g[:] = m[1][:]:[right]; for (int j = 0; j < 4; j++) EXPECT(g[j] == 100 * right + 10 + j);
    double h[3]; h[:] = m[:][2]:[left]; for (int j = 0; j < 3; j++) EXPECT(h[j] == 100 * left + 10 * j + 2);
    double k2[3][4]; k2[:][:] = m[:][:]:[left]; EXPECT(k2[2][3] == 100 * left + 23);
    xmp_sync_all(NULL);
    EXPECT(r[1].v[3] == left && r[1].v[0] == 1);
    m[0][0:4:2]:[right] = -1; cube[:][1][:]:[right] = me;
    flag:[right] += 1 + me;
    xmp_sync_memory(NULL); xmp_sync_all(NULL);
    EXPECT(m[0][0] == -1 && m[0][2] == -1 && m[0][1] == 100 * me + 1); EXPECT(cube[1][1][3] == left && cube[1][0][3] == 0); EXPECT(flag == 1 + left);
    int lst[2] = {left, right}; if (n > 2) { xmp_sync_images(2, lst, &st); EXPECT(st == 0); } 
    xmp_sync_images_all(&st);
    if (me == 0) for (int i = 1; i < n; i++) { xmp_sync_image(i, &st); } else xmp_sync_image(0, &st);
    for (int i = 0; i < 50; i++) {
#pragma xmp lock(lk:[0])
    int old = flag:[0]; flag:[0] = old + 1;
#pragma xmp unlock(lk:[0])
    }
    xmp_sync_all(NULL);
    if (me == 0) EXPECT(flag == 1 + left + 50 * n);
    xmp_sync_all(NULL);
    int v = -1; xmp_atomic_define(flag:[right], 1000 + me); xmp_sync_all(NULL); xmp_atomic_ref(&v, flag:[me]); EXPECT(v == 1000 + left); xmp_atomic_ref(&v, flag); EXPECT(v == 1000 + left);
    int *pl = &flag; EXPECT(*pl == flag); double (*pm)[4] = m; EXPECT(pm[1][1] == m[1][1]); 
    EXPECT(sizeof r == 5 * sizeof(struct rec)); memset(r, 0, sizeof r);

    return failures != 0;
}
