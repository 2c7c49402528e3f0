/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned members of structures, coarrays of structures, loops down over cyclic dimensions, sections of both in clauses. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[40]
#pragma xmp distribute t[cyclic] onto p
#pragma xmp template s[40]
#pragma xmp distribute s[block] onto p
struct cell { float x[3]; int id; char tag; };
struct grid { struct cell c[40]; double m[40]; int n; } g;
#pragma xmp align g.c[i] with s[i]
#pragma xmp align g.m[i] with t[i]
#pragma xmp shadow g.c[1]
struct cell plain[40];
struct cell co[5]:[*];
long counter:[*];
double *d;
#pragma xmp align d[i] with t[i]
int main(void) {
    int bad = 0, P = xmp_num_nodes(), me = xmpc_node_num();
    g.n = 40;
#pragma xmp loop on s[i]
    for (int i = 0; i < g.n; i++) { g.c[i].id = i; g.c[i].tag = (char)('a' + i % 26); for (int k = 0; k < 3; k++) g.c[i].x[k] = i + 0.25f * k; }
#pragma xmp reflect (g.c) width(/periodic/1)
#pragma xmp loop on s[i] reduction(+:bad)
    for (int i = 0; i < 40; i++) bad += g.c[i - 1].id != (i + 39) % 40 || g.c[i + 1].x[2] != (i + 1) % 40 + 0.5f;
#pragma xmp gmove
    plain[:] = g.c[:];
    for (int i = 0; i < 40; i++) bad += plain[i].id != i || plain[i].tag != 'a' + i % 26;
    d = xmp_malloc(xmp_desc_of(d), 40);
#pragma xmp loop (i) on t[i]
    for (int i = 39; i >= 0; i -= 3) { d[i] = i; g.m[i] = -i; }
    double sum = 0; int worst = -1; double top = -1;
#pragma xmp loop (i) on t[i] reduction(+:sum) reduction(firstmax:top/worst/)
    for (int i = 0; i < 40; i += 3) { sum += d[i] + g.m[i]; if (d[i] > top) { top = d[i]; worst = i; } }
    bad += sum != 0 || worst != 39;
    for (int k = 0; k < 5; k++) co[k].id = 10 * me + k;
    xmp_sync_all(NULL);
    struct cell got[5];
    got[:] = co[:]:[(me + 1) % P];
    for (int k = 0; k < 5; k++) bad += got[k].id != 10 * ((me + 1) % P) + k;
    co[1:2]:[(me + 1) % P].tag = (char)('A' + me);
    for (int k = 0; k < 3; k++) co[4]:[(me + 1) % P].x[k] = me + k;
    xmp_sync_all(NULL);
    bad += co[1].tag != 'A' + (me + P - 1) % P || co[2].tag != co[1].tag || co[0].tag != 0 || co[4].x[2] != (me + P - 1) % P + 2;
#pragma xmp bcast (got[0:5]) from p[P - 1]
    bad += got[2].id != 2;
    int v[3][4]; for (int k = 0; k < 12; k++) v[k / 4][k % 4] = me * k;
#pragma xmp reduction(max:v[0:2:2][1:3])
    bad += v[2][3] != 11 * (P - 1) || v[1][1] != 5 * me || v[2][0] != 8 * me;
    int seq = 0;
#pragma xmp reduction(+:seq) async(4)
#pragma xmp wait_async(4)
    bad += seq != 0;
    xmp_free(xmp_desc_of(d));
#pragma xmp reduction(+:bad)
    return bad != 0;
}
