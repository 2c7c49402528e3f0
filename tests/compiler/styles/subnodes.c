/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#pragma xmp nodes p[*]
int main(void)
{
  int n = xmp_num_nodes(), me = xmpc_node_num();
  int half = (n + 1) / 2;
  {
#pragma xmp nodes lo[half]=p[0:half]
#pragma xmp template t[30]
#pragma xmp distribute t[block] onto lo
    int a[30];
#pragma xmp align a[i] with t[i]
    int i, s = 0;
#pragma xmp task on lo
    {
      CHECK(xmp_num_nodes() == half);
      CHECK(xmpc_node_num() == me);
#pragma xmp loop (i) on t[i]
      for (i = 0; i < 30; i++) a[i] = i;
#pragma xmp loop (i) on t[i] reduction(+:s)
      for (i = 0; i < 30; i++) s += a[i];
      CHECK(s == 435);
#pragma xmp barrier
    }
    int g = -1;
#pragma xmp task on lo nocomm
    g = 5;
    CHECK(g == (me < half ? 5 : -1));
#pragma xmp bcast (s) from lo[0] on p
    CHECK(s == 435);
  }
  return failures != 0;
}
