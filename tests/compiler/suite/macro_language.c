/* SPDX-License-Identifier: Apache-2.0 */
/* Directives by macros and _Pragma, continued lines, comments between, line splices, digraphs. */
#include <stdio.h>
#include <xmp.h>
#define XMP(...) XMP_(xmp __VA_ARGS__)
#define XMP_(x) _Pragma(#x)
#define GRID_NODES p
#define LEN 30
#define ON(t, i) on t[i]
XMP(nodes GRID_NODES[*])
XMP(template t[LEN])
XMP(distribute t[cyclic(3)] onto GRID_NODES)
int a<:LEN:>, b[LEN];
XMP(align a[i] with t[i])
#pragma xmp align /* a comment */ b[i] \
    with t[i] // and one more
#define FOR_ALL(i) \
    _Pragma("xmp loop on t[i]") \
    for (int i = 0; i < LEN; i++)
#define SUM(v, e) do { \
    XMP(loop on t[k] reduction(+:v)) \
    for (int k = 0; k < LEN; k++) v += (e); } while (0)
#define FIELD(name, n) int name[n]; XMP(align name[i] with t[i])
FIELD(c, LEN)
#define GET(x, i) ((x)[i])
#define BOTH(x, y) x, y
int main(void)
<%
    int bad = 0, s = 0;
    FOR_ALL(i) { a[i] = i; GET(b, i) = 2 * GET(a, i); }
    FOR_ALL(i) c[i] = a[i] + b[i];
    SUM(s, a[k] + GET(b, k) + c[k]);
    if (s != 6 * (LEN * (LEN - 1) / 2)) bad++, printf("s %d\n", s);
    int m = -1, w = 99;
#pragma xmp loop on t[i] reduction(max:m) \
                         reduction \
                         (min : w)
    for (int i = 0; i < LEN; i++) { if (a[i] % 7 == 3 && a[i] > m) m = a[i]; if (c[i] < w) w = c[i]; }
    if (m != 24 || w != 0) bad++, printf("%d %d\n", m, w);
    int z[LEN];
    XMP(gmove)
    z[0:LEN:1] = c[0:LEN];
    for (int i = 0; i < LEN; i++) bad += z[i] != 3 * i;
    XMP(bcast (BOTH(s, m)) from GRID_NODES[xmp_num_nodes() - 1])
    XMP(barrier)
#pragma xmp reduction(+:bad)
    return bad != 0;
%>
