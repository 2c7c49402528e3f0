/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#pragma xmp nodes p[*]
int main(void) {
  int n = xmp_num_nodes(), me = xmpc_node_num(), k, h = (n + 1) / 2;
  CHECK(xmp_node_num() == me + 1 && xmp_all_node_num() == me + 1 && xmpc_all_node_num() == me && xmp_all_num_nodes() == n);
#pragma xmp task on p[n-h:h]
  {
    CHECK(xmp_num_nodes() == h); CHECK(xmpc_node_num() == me - (n - h)); CHECK(xmp_all_node_num() == me + 1);
#pragma xmp nodes q[h] = *
#pragma xmp nodes all[n] = **
    CHECK(xmpc_nodes_index(xmp_desc_of(q), 1, &k) == 0 && k == me - (n - h));
    CHECK(xmpc_nodes_index(xmp_desc_of(all), 1, &k) == 0 && k == me);
    CHECK(xmp_nodes_attr(xmp_desc_of(q), &k) == 0);
    int s = 1;
#pragma xmp reduction(+:s) on q
    CHECK(s == h);
    s = me;
#pragma xmp bcast (s) from q[h-1] on *
    CHECK(s == n - 1);
    xmp_barrier();
  }
  return failures != 0; }
