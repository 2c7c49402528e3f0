/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#pragma xmp nodes p[*]
#pragma xmp nodes q(*)
static int sub(int i) { int n = xmp_num_nodes();
#pragma xmp reduction(+:n)
  return i * 100 + n; }
int main(void)
{
  int n = xmp_num_nodes(), me = xmpc_node_num(), i, k, got = -1, lo[20], len[20], h = n / 2;
#pragma xmp loop (i) on p[i]
  for (i = 0; i < n; i++) got = i;
  CHECK(got == me);
#pragma xmp loop on q(i)
  for (i = n; i >= 1; i--) got = -i;
  CHECK(got == -me - 1);
  got = 0;
#pragma xmp loop (i) on p[i] reduction(+:got)
  for (i = 0; i < n; i++) got += i;
  CHECK(got == n * (n - 1) / 2);
  if (n > 1) {
    lo[0] = 0; len[0] = h; lo[1] = h; len[1] = n - h;
#pragma xmp loop (k) on p[lo[k]:len[k]]
    for (k = 0; k < 2; k++) got = sub(k);
    CHECK(got == (me < h ? h * h : 100 + (n - h) * (n - h)));
#pragma xmp loop (k) on q(lo[k]+1:lo[k]+len[k])
    for (k = 1; k >= 0; k--) got = sub(k);
    CHECK(got == (me < h ? h * h : 100 + (n - h) * (n - h)));
  }
  return failures != 0;
}
