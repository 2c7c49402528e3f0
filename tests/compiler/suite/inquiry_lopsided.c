/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of inquiry, on block, cyclic(n), gblock, undistributed, replicated, of a 2-D array with shadow and offset. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*][2]
#pragma xmp nodes line[*]
int widths[16];
#pragma xmp template t[2:20][3:12]
#pragma xmp distribute t[block][cyclic(2)] onto p
#pragma xmp template g[:]
#pragma xmp distribute g[gblock(*)] onto line
int a[18][10];
#pragma xmp align a[i][j] with t[i+2][j+3]
#pragma xmp shadow a[1:2][0]
double r[10];
#pragma xmp align r[j] with t[*][j+4]
float *s;
#pragma xmp align s[i] with g[i]
static int bad;
#define EXPECT(x) do { if (!(x)) { bad++; printf("line %d node %d\n", __LINE__, xmp_all_node_num()); } } while (0)
int main(void) {
    int const np = xmp_all_num_nodes(), me = xmpc_all_node_num(), rows = np / 2;
    int k, dims, size[3], index[3], rank, axis, which, off, f;
    xmp_desc_t dp = xmp_desc_of(p), dt = xmp_desc_of(t), da = xmp_desc_of(a), d;
    EXPECT(xmp_nodes_ndims(dp, &dims) == 0 && dims == 2);
    EXPECT(xmp_nodes_size(dp, 1, &size[0]) == 0 && xmp_nodes_size(dp, 2, &size[1]) == 0);
    EXPECT(size[0] * size[1] == np);
    EXPECT(size[0] == rows || size[1] == rows);
    EXPECT(xmp_nodes_index(dp, 1, &index[0]) == 0 && xmp_nodes_index(dp, 2, &index[1]) == 0);
    EXPECT(xmp_template_fixed(dt, &f) == 0 && f != 0);
    EXPECT(xmp_template_fixed(xmp_desc_of(g), &f) == 0 && f == 0);
    for (k = 0; k < np; k++) widths[k] = 2 + k % 2;
    int total = 0; for (k = 0; k < np; k++) total += widths[k];
#pragma xmp template_fix[gblock(widths)] g[total]
    s = (float *)xmp_malloc(xmp_desc_of(s), total);
    EXPECT(xmp_template_fixed(xmp_desc_of(g), &f) == 0 && f != 0);
    EXPECT(xmp_template_ndims(dt, &dims) == 0 && dims == 2);
    long lb = 0; int lbi = 0;
    EXPECT(xmp_template_lbound(dt, 1, &lbi) == 0);
    EXPECT(lbi == 2 || lbi == 3);
    int ub1, ub2, lb2;
    EXPECT(xmp_template_ubound(dt, 1, &ub1) == 0 && xmp_template_ubound(dt, 2, &ub2) == 0 && xmp_template_lbound(dt, 2, &lb2) == 0);
    EXPECT((lbi == 2 ? ub1 == 21 && lb2 == 3 && ub2 == 14 : ub1 == 14 && lb2 == 2 && ub2 == 21));
    int f1, f2, b1, b2;
    EXPECT(xmp_dist_format(dt, 1, &f1) == 0 && xmp_dist_format(dt, 2, &f2) == 0);
    EXPECT((f1 == XMP_BLOCK && f2 == XMP_CYCLIC) || (f2 == XMP_BLOCK && f1 == XMP_CYCLIC));
    EXPECT(xmp_dist_blocksize(dt, 1, &b1) == 0 && xmp_dist_blocksize(dt, 2, &b2) == 0);
    EXPECT((f1 == XMP_CYCLIC ? b1 : b2) == 2 && (f1 == XMP_BLOCK ? b1 : b2) == (20 + rows - 1) / rows);
    int map[16];
    EXPECT(xmp_dist_gblockmap(xmp_desc_of(g), 1, map) == 0);
    for (k = 0; k < np; k++) EXPECT(map[k] == widths[k]);
    EXPECT(xmp_dist_nodes(dt, &d) == 0 && xmp_nodes_ndims(d, &dims) == 0 && dims == 2);
    EXPECT(xmp_dist_axis(dt, 1, &axis) == 0 && (axis == 1 || axis == 2));
    EXPECT(xmp_align_axis(da, 1, &axis) == 0 && xmp_align_offset(da, 1, &off) == 0 && (off == 2 || off == 3));
    EXPECT(xmp_align_replicated(xmp_desc_of(r), 1, &which) == 0);
    int which2;
    EXPECT(xmp_align_replicated(xmp_desc_of(r), 2, &which2) == 0 && (which != 0) + (which2 != 0) == 1);
    EXPECT(xmp_align_template(da, &d) == 0 && xmp_template_ndims(d, &dims) == 0 && dims == 2);
    EXPECT(xmp_array_ndims(da, &dims) == 0 && dims == 2);
    int l1, l2, u1, u2;
    EXPECT(xmp_array_lshadow(da, 1, &l1) == 0 && xmp_array_lshadow(da, 2, &l2) == 0 && l1 + l2 == 1);
    EXPECT(xmp_array_ushadow(da, 1, &u1) == 0 && xmp_array_ushadow(da, 2, &u2) == 0 && u1 + u2 == 2);
    int al, au;
    EXPECT(xmp_array_lbound(da, 1, &al) == 0 && xmp_array_ubound(da, 1, &au) == 0 && al == 0 && (au == 17 || au == 9));
    size_t ts; (void)ts;
#pragma xmp loop (i, j) on t[i+2][j+3]
    for (int i = 0; i < 18; i++) for (int j = 0; j < 10; j++) a[i][j] = i * 10 + j;
    int *mine = 0;
    EXPECT(xmp_array_laddr(da, (void **)&mine) == 0 && (mine != 0 || np > 8));
    (void)lb; (void)me;
    xmp_free(xmp_desc_of(s));
#pragma xmp reduction (+:bad)
    return bad != 0;
}
/* RANKS: 2 4 6 8 16 */
