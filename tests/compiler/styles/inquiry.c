/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#pragma xmp nodes p(1,*)
#pragma xmp nodes q[*]
#pragma xmp template t(1:10, -3:8)
#pragma xmp distribute t(block, cyclic(2)) onto p
#pragma xmp template u[20]
#pragma xmp distribute u[block(20)] onto q
int a[12][10]; float b[12][7][10]; double *c;
#pragma xmp align a[i][j] with t(j+1,i-3)
#pragma xmp align b[i][*][j] with t(j+1,i-3)
#pragma xmp template v[:]
#pragma xmp distribute v[block] onto q
#pragma xmp align c[i] with v[i]
#pragma xmp template w[20]
#pragma xmp distribute w[block] onto q
short e[15];
#pragma xmp align e[i] with w[i+3]
#pragma xmp shadow e[2:1]
int main(void)
{
  int n = xmp_num_nodes(), k, r, lb[7], ub[7], st[7], g[3], l[3];
  xmp_desc_t d, dn;
  CHECK(xmp_nodes_ndims(xmp_desc_of(p), &k) == 0 && k == 2);
  CHECK(xmp_nodes_size(xmp_desc_of(p), 1, &k) == 0 && k == 1);
  CHECK(xmp_nodes_size(xmp_desc_of(p), 2, &k) == 0 && k == n);
  CHECK(xmp_nodes_size(xmp_desc_of(p), 3, &k) < 0);
  CHECK(xmp_nodes_size(xmp_desc_of(p), 0, &k) < 0);
  CHECK(xmp_nodes_index(xmp_desc_of(p), 2, &k) == 0 && k == xmp_node_num());
  CHECK(xmp_nodes_attr(xmp_desc_of(p), &k) == 0 && k == XMP_ENTIRE_NODES);
  CHECK(xmp_nodes_equiv(xmp_desc_of(p), &dn, lb, ub, st) < 0);
  CHECK(xmp_template_lbound(xmp_desc_of(t), 1, &k) == 0 && k == 1);
  CHECK(xmp_template_ubound(xmp_desc_of(t), 1, &k) == 0 && k == 10);
  CHECK(xmp_template_lbound(xmp_desc_of(t), 2, &k) == 0 && k == -3);
  CHECK(xmp_template_ubound(xmp_desc_of(t), 2, &k) == 0 && k == 8);
  CHECK(xmp_dist_format(xmp_desc_of(t), 1, &k) == 0 && k == XMP_BLOCK);
  CHECK(xmp_dist_format(xmp_desc_of(t), 2, &k) == 0 && k == XMP_CYCLIC);
  CHECK(xmp_dist_blocksize(xmp_desc_of(t), 2, &k) == 0 && k == 2);
  CHECK(xmp_dist_blocksize(xmp_desc_of(t), 1, &k) == 0 && k == 10);
  CHECK(xmp_dist_axis(xmp_desc_of(t), 2, &k) == 0 && k == 2);
  CHECK(xmp_dist_nodes(xmp_desc_of(t), &dn) == 0 && dn == xmp_desc_of(p));
  CHECK(xmp_template_fixed(xmp_desc_of(v), &k) == 0 && k == 0);
  CHECK(xmp_template_ubound(xmp_desc_of(v), 1, &k) < 0);
  CHECK(xmp_array_ndims(xmp_desc_of(b), &k) == 0 && k == 3);
  CHECK(xmp_align_axis(xmp_desc_of(a), 1, &k) == 0 && k == 2);
  CHECK(xmp_align_axis(xmp_desc_of(a), 2, &k) == 0 && k == 1);
  CHECK(xmp_align_offset(xmp_desc_of(a), 1, &k) == 0 && k == -3);
  CHECK(xmp_align_offset(xmp_desc_of(a), 2, &k) == 0 && k == 1);
  CHECK(xmp_align_template(xmp_desc_of(a), &d) == 0 && d == xmp_desc_of(t));
  CHECK(xmp_array_lbound(xmp_desc_of(a), 1, &k) == 0 && k == 0);
  CHECK(xmp_array_ubound(xmp_desc_of(a), 1, &k) == 0 && k == 11);
  CHECK(xmp_array_gsize(xmp_desc_of(b), 2, &k) == 0 && k == 7);
  CHECK(xmp_array_lshadow(xmp_desc_of(e), 1, &k) == 0 && k == 2);
  CHECK(xmp_array_ushadow(xmp_desc_of(e), 1, &k) == 0 && k == 1);
  CHECK(xmp_array_lsize(xmp_desc_of(a), 1, &k) == 0);
  r = k;
#pragma xmp reduction(+:r)
  CHECK(r == 12);
  CHECK(xmp_array_gsize(xmp_desc_of(c), 1, &k) < 0);
  CHECK(xmp_nodes_ndims(xmp_desc_of(t), &k) < 0);
  CHECK(xmp_array_ndims(xmp_desc_of(t), &k) < 0);
  g[0] = 0; g[1] = 3;
  k = xmp_array_gtol(xmp_desc_of(a), g, l);
  if (xmp_node_num() == 1) CHECK(k == 0 && l[0] == 0 && l[1] == 3);
  CHECK(xmp_dist_blocksize(xmp_desc_of(u), 1, &k) == 0 && k == 20);
  return failures != 0;
}
