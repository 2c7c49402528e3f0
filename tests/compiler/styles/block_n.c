/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 17
#pragma xmp nodes p[*]
int main(void)
{
  int n = xmp_num_nodes(), w = (N + n - 1) / n + 2, i, s = 0, k;
#pragma xmp template t[N]
#pragma xmp distribute t[block(w)] onto p
#pragma xmp template c(3:N+2)
#pragma xmp distribute c(cyclic(w)) onto p
  int a[N], b[N-2];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with c(i+4)
#pragma xmp shadow a[1]
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { a[i] = i; CHECK(i / w == xmpc_node_num()); }
#pragma xmp loop on c(i+4)
  for (i = 0; i < N-2; i++) { b[i] = 3 * i; CHECK((i + 1) / w % n == xmpc_node_num()); }
#pragma xmp reflect (a)
#pragma xmp loop on t[i] reduction(+:s)
  for (i = 1; i < N; i++) s += a[i-1];
  CHECK(s == (N-1) * (N-2) / 2);
#pragma xmp gmove
  a[1:N-2] = b[:];
#pragma xmp loop on t[i]
  for (i = 1; i < N-1; i++) CHECK(a[i] == 3 * (i - 1));
  CHECK(xmp_dist_blocksize(xmp_desc_of(t), 1, &k) == 0 && k == w);
  return failures != 0;
}
