/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#pragma xmp nodes p[*]
static int run(int k) { int s = k + 1;
#pragma xmp nodes q[*] = *
#pragma xmp template t[8]
#pragma xmp distribute t[block] onto q
  int a[8], i;
#pragma xmp align a[i] with t[i]
#pragma xmp loop on t[i]
  for (i = 0; i < 8; i++) a[i] = k;
#pragma xmp loop on t[i] reduction(+:s)
  for (i = 0; i < 8; i++) s += a[i];
  return s; }
int main(void)
{
  int n = xmp_num_nodes(), me = xmpc_node_num(), h = (n + 1) / 2, r = -1;
#pragma xmp tasks
  {
#pragma xmp task on p[0:h]
    r = run(10);
#pragma xmp task on p[h:n-h]
    { r = run(20); }
  }
  CHECK(r == (me < h ? 91 : 181));
#pragma xmp barrier on p[0:h]
#pragma xmp task on p[n-1]
  {
    CHECK(xmp_num_nodes() == 1 && xmp_node_num() == 1 && xmp_all_num_nodes() == n);
    r = 77;
  }
#pragma xmp bcast (r) from p[n-1]
  CHECK(r == 77);
  int k;
  for (k = 0; k < n; k++)
#pragma xmp task on p[k]
    if (me == k) r = k; else r = -5;
  CHECK(r == me);
  return failures != 0;
}
