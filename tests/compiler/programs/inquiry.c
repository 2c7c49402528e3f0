/* SPDX-License-Identifier: Apache-2.0 */
/* What a program asks of nodes, templates and arrays. */
#include <stdio.h>
#include <xmp.h>

#pragma xmp nodes p(*)
#pragma xmp nodes g[*][*]
#pragma xmp nodes part(1) = p(1 : 1)
#pragma xmp template t(1 : 24)
#pragma xmp template two[24][36]
#pragma xmp template open[:]
#pragma xmp template irregular[20]
#pragma xmp distribute t(cyclic(3)) onto p
#pragma xmp distribute two[block][block] onto g
#pragma xmp distribute open[block] onto p

static int widths[16];
static int w[24];
static double a[20][30];
static float copy[24];
#pragma xmp align w[i] with t(i + 1)
#pragma xmp align a[i][j] with two[i + 2][j]
#pragma xmp align copy[i] with two[i][*]
#pragma xmp shadow a[1][2 : 1]

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
        failures++;
    }
}

int main(void) {
    int const n = xmp_num_nodes(), me = xmpc_node_num();
    int x = 0, y = 0, z = 0;
    expect(xmp_nodes_ndims(xmp_desc_of(g), &x) == 0 && x == 2, "dimensions of nodes");
    expect(xmp_nodes_index(xmp_desc_of(p), 1, &x) == 0 && x == me + 1, "index of a node");
    expect(xmpc_nodes_index(xmp_desc_of(p), 1, &x) == 0 && x == me, "index of a node, from 0");
    int rows = 0, columns = 0;
    expect(xmp_nodes_size(xmp_desc_of(g), 1, &columns) == 0 && xmp_nodes_size(xmp_desc_of(g), 2, &rows) == 0, "sizes of nodes");
    expect(rows * columns == n, "nodes of two dimensions");
    expect(xmp_nodes_size(xmp_desc_of(g), 3, &x) < 0 && xmp_nodes_size(xmp_desc_of(t), 1, &x) < 0, "what is not there");
    expect(xmp_nodes_attr(xmp_desc_of(p), &x) == 0 && x == XMP_ENTIRE_NODES, "all nodes");
    expect(xmp_nodes_attr(xmp_desc_of(part), &x) == 0 && x == XMP_EQUIVALENCE_NODES, "a part of nodes");
    xmp_desc_t of = NULL;
    expect(xmp_nodes_equiv(xmp_desc_of(part), &of, &x, &y, &z) == 0 && of == xmp_desc_of(p) && x == 1 && y == 1 && z == 1,
           "which part it is");
    expect(xmp_nodes_equiv(xmp_desc_of(p), &of, &x, &y, &z) < 0, "no part");

    expect(xmp_template_fixed(xmp_desc_of(t), &x) == 0 && x != 0, "a fixed template");
    expect(xmp_template_fixed(xmp_desc_of(open), &x) == 0 && x == 0, "a template that is not fixed");
    expect(xmp_template_ubound(xmp_desc_of(open), 1, &x) < 0, "its bound");
#pragma xmp template_fix open[17]
    expect(xmp_template_fixed(xmp_desc_of(open), &x) == 0 && x != 0, "a template that was fixed");
    expect(xmp_template_lbound(xmp_desc_of(open), 1, &x) == 0 && x == 0 && xmp_template_ubound(xmp_desc_of(open), 1, &y) == 0 &&
               y == 16, "its bounds");
    expect(xmp_template_ndims(xmp_desc_of(two), &x) == 0 && x == 2, "dimensions of a template");
    expect(xmp_template_lbound(xmp_desc_of(t), 1, &x) == 0 && x == 1 && xmp_template_ubound(xmp_desc_of(t), 1, &y) == 0 && y == 24,
           "bounds of a template");
    expect(xmp_template_ubound(xmp_desc_of(two), 1, &x) == 0 && x == 35 && xmp_template_ubound(xmp_desc_of(two), 2, &y) == 0 &&
               y == 23, "the dimension that varies fastest is the first");
    expect(xmp_dist_format(xmp_desc_of(t), 1, &x) == 0 && x == XMP_CYCLIC && xmp_dist_blocksize(xmp_desc_of(t), 1, &y) == 0 && y == 3,
           "cyclic(3)");
    expect(xmp_dist_format(xmp_desc_of(two), 2, &x) == 0 && x == XMP_BLOCK && xmp_dist_blocksize(xmp_desc_of(two), 2, &y) == 0 &&
               y == (24 + rows - 1) / rows, "block");
    expect(xmp_dist_nodes(xmp_desc_of(two), &of) == 0 && of == xmp_desc_of(g), "the nodes of a template");
    expect(xmp_dist_axis(xmp_desc_of(two), 1, &x) == 0 && x == 1 && xmp_dist_axis(xmp_desc_of(two), 2, &y) == 0 && y == 2, "axes");
    expect(xmp_dist_gblockmap(xmp_desc_of(two), 1, &x) < 0, "no gblock");
    for (int i = 0; i < 20; i++) widths[i % n]++;
    {
#pragma xmp distribute irregular[gblock(widths)] onto p
        int map[16] = {0};
        expect(xmp_dist_format(xmp_desc_of(irregular), 1, &x) == 0 && x == XMP_GBLOCK, "gblock");
        expect(xmp_dist_gblockmap(xmp_desc_of(irregular), 1, map) == 0 && map[n - 1] == widths[n - 1], "widths of gblock");
    }

    expect(xmp_align_axis(xmp_desc_of(a), 1, &x) == 0 && x == 2 && xmp_align_axis(xmp_desc_of(a), 2, &y) == 0 && y == 1, "align axes");
    expect(xmp_align_offset(xmp_desc_of(a), 1, &x) == 0 && x == 2 && xmp_align_offset(xmp_desc_of(w), 1, &y) == 0 && y == 1,
           "align offsets");
    expect(xmp_align_replicated(xmp_desc_of(copy), 1, &x) == 0 && x != 0 &&
               xmp_align_replicated(xmp_desc_of(copy), 2, &y) == 0 && y == 0, "replicated");
    expect(xmp_align_template(xmp_desc_of(a), &of) == 0 && of == xmp_desc_of(two), "the template of an array");

    expect(xmp_array_ndims(xmp_desc_of(a), &x) == 0 && x == 2, "dimensions of an array");
    expect(xmp_array_lshadow(xmp_desc_of(a), 2, &x) == 0 && x == 2 && xmp_array_ushadow(xmp_desc_of(a), 2, &y) == 0 && y == 1,
           "shadow");
    expect(xmp_array_lbound(xmp_desc_of(a), 1, &x) == 0 && x == 0 && xmp_array_ubound(xmp_desc_of(a), 2, &y) == 0 && y == 29,
           "bounds of an array");
    int here[2] = {0, 0}, index[2], place[2], lda = 0;
    double* first = NULL;
    expect(xmp_array_lsize(xmp_desc_of(a), 1, &here[0]) == 0 && xmp_array_lsize(xmp_desc_of(a), 2, &here[1]) == 0, "local sizes");
    expect(xmp_array_laddr(xmp_desc_of(a), (void**)&first) == 0 && xmp_array_lda(xmp_desc_of(a), &lda) == 0, "local elements");
    int mine = 0;
#pragma xmp loop(i, j) on two[i + 2][j]
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++) {
            a[i][j] = 100 * i + j;
            index[0] = i;
            index[1] = j;
            expect(xmp_array_gtol(xmp_desc_of(a), index, place) == 0, "global to local");
            expect(first[place[0] * lda + place[1]] == 100 * i + j, "an element at its local place");
            mine++;
        }
    expect(mine == here[0] * here[1], "as many as it owns");
    int cyclic = 0;
#pragma xmp loop on t(i + 1)
    for (int i = 0; i < 24; i++) cyclic++;
    expect(xmp_array_lsize(xmp_desc_of(w), 1, &x) == 0 && x == cyclic, "local size of a cyclic array");
    return failures != 0;
}
