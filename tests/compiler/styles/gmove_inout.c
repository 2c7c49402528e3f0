/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#pragma xmp nodes p[*]
#define N 24
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N], b[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
int main(void)
{
  int i, n = xmp_num_nodes(), me = xmpc_node_num(), x = -1, loc[N];
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) a[i] = i + 1, b[i] = -i;
#pragma xmp barrier
#pragma xmp task on p[0]
  {
#pragma xmp gmove in
    x = a[N-1];
    CHECK(x == N);
#pragma xmp gmove in
    loc[0:N] = a[0:N];
    for (i = 0; i < N; i++) CHECK(loc[i] == i + 1);
#pragma xmp gmove out
    b[N-2:2] = loc[0:2];
#pragma xmp gmove out
    b[3] = x;
  }
  xmp_sync_all(NULL);
#pragma xmp barrier
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) CHECK(b[i] == (i == 3 ? N : i == N-2 ? 1 : i == N-1 ? 2 : -i));
#pragma xmp gmove in
  b[0:5] = a[10:5];
#pragma xmp gmove out
  a[0:5] = b[0:5];
#pragma xmp loop on t[i]
  for (i = 0; i < 5; i++) CHECK(a[i] == 11 + i);
  (void)n; (void)me;
  return failures != 0;
}
