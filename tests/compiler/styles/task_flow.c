/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 12
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic] onto p
int a[N];
#pragma xmp align a[i] with t[i]
static int owner_value(int i) {
#pragma xmp task on t[i] nocomm
  { return a[i]; }
  return -1; }
static int early(int k) {
#pragma xmp task on p[0]
  {
    if (k > 2) return 100;
    k *= 2;
  }
  return k; }
int main(void)
{
  int i, s = 0, n = xmp_num_nodes(), me = xmpc_node_num();
  for (i = 0; i < N; i++)
#pragma xmp task on t[i] nocomm
    a[i] = i + 7;
  for (i = 0; i < N; i++) { int v = owner_value(i); CHECK(v == (i % n == me ? i + 7 : -1)); }
  CHECK(early(1) == (me == 0 ? 2 : 1)); CHECK(early(5) == (me == 0 ? 100 : 5)); CHECK(xmp_num_nodes() == n);
  for (i = 0; i < N; i++) {
    if (i == 3) continue;
#pragma xmp task on t[i]
    {
      if (a[i] == 9) goto skip;
      s += a[i];
    skip:;
    }
    CHECK(xmp_num_nodes() == n);
    if (i == 8) break;
  }
  for (i = 0; i < N; i++) {
#pragma xmp task on t[i]
    { if (i == 5) continue; if (i == 7) break; s++; }
    CHECK(xmp_num_nodes() == n);
  }
  CHECK(xmp_num_nodes() == n);
  return failures != 0;
}
