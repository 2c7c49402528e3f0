/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
int main(void)
{
  int n = xmp_num_nodes(), me = xmpc_node_num(), k, r;
#pragma xmp nodes p(*)
  if (n >= 6) {
#pragma xmp nodes q(2,3)=p(1:6)
#pragma xmp nodes z[3][2]=p(1:6)
#pragma xmp nodes w(3,2)=q(1:2,1:3)
#pragma xmp task on q
    {
      CHECK(xmp_nodes_index(xmp_desc_of(q), 1, &k) == 0 && k == me % 2 + 1);
      CHECK(xmp_nodes_index(xmp_desc_of(q), 2, &k) == 0 && k == me / 2 + 1);
      CHECK(xmp_nodes_index(xmp_desc_of(z), 1, &k) == 0 && k == me % 2 + 1);
      CHECK(xmp_nodes_index(xmp_desc_of(w), 1, &k) == 0 && k == me % 3 + 1);
      CHECK(xmpc_nodes_index(xmp_desc_of(w), 2, &k) == 0 && k == me / 3);
      CHECK(xmp_nodes_attr(xmp_desc_of(w), &k) == 0 && k == XMP_EQUIVALENCE_NODES);
    }
    r = -1;
#pragma xmp task on q(2,*)
    r = xmp_num_nodes();
    if (me < 6) CHECK(r == (me % 2 == 1 ? 1 : -1));
    r = -1;
#pragma xmp task on q(:,2)
    r = xmp_node_num();
    CHECK(r == (me == 2 ? 1 : me == 3 ? 2 : -1));
    r = me;
    if (me < 6) {
#pragma xmp reduction(+:r) on z[*][:]
      CHECK(r == me / 2 * 4 + 1);
    }
#pragma xmp template t(0:11,0:8)
#pragma xmp distribute t(block,cyclic) onto q
    int a[9][12], i, j, s = 0;
#pragma xmp align a[i][j] with t(j,i)
#pragma xmp task on q
    {
#pragma xmp loop (j,i) on t(j,i)
      for (i = 0; i < 9; i++) for (j = 0; j < 12; j++) { a[i][j] = i * j; CHECK(me / 2 == i % 3 && me % 2 == j / 6); }
#pragma xmp loop (j,i) on t(j,i) reduction(+:s)
      for (i = 0; i < 9; i++) for (j = 0; j < 12; j++) s += a[i][j];
      CHECK(s == 36 * 66);
    }
  }
#pragma xmp nodes x[*][1][1]
#pragma xmp nodes y(1,1,*)
  CHECK(xmp_nodes_index(xmp_desc_of(x), 3, &k) == 0 && k == me + 1);
  CHECK(xmp_nodes_index(xmp_desc_of(y), 3, &k) == 0 && k == me + 1);
  CHECK(xmp_nodes_size(xmp_desc_of(x), 3, &k) == 0 && k == n);
  return failures != 0;
}
