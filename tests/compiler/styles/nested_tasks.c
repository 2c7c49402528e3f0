/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 16
#pragma xmp nodes p[*]
int main(void)
{
  int n = xmp_num_nodes(), me = xmpc_node_num(), h = (n + 1) / 2, s, i;
#pragma xmp nodes q[h] = p[0:h]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto q
  int a[N];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp task on q
  {
#pragma xmp loop on t[i]
    for (i = 0; i < N; i++) a[i] = i;
#pragma xmp reflect (a)
    s = 0;
#pragma xmp loop on t[i] reduction(+:s)
    for (i = 1; i < N; i++) s += a[i-1];
    CHECK(s == 105);
#pragma xmp task on t[0]
    { CHECK(xmp_num_nodes() == 1 && me == 0); a[0] = 50; }
#pragma xmp task on q[0:(h+1)/2:2]
    {
      int c = 1;
#pragma xmp reduction(+:c)
      CHECK(c == (h + 1) / 2);
      CHECK(xmp_num_nodes() == (h + 1) / 2);
    }
    int r[N];
#pragma xmp gmove
    r[:] = a[:];
    CHECK(r[0] == 50 && r[N-1] == N-1);
#pragma xmp barrier on q
#pragma xmp bcast (s) from t[N-1]
  }
  int x = me;
#pragma xmp task on p[h:n-h]
  {
#pragma xmp reduction(min:x)
  }
  CHECK(x == (me < h ? me : h));
  return failures != 0;
}
