/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#pragma xmp nodes p[*]
#pragma xmp nodes q(*)
#pragma xmp template t[40]
#pragma xmp distribute t[cyclic(3)] onto p
struct s { int a; double b[4]; };
int main(void)
{
  int n = xmp_num_nodes(), me = xmpc_node_num(), i, root = n - 1;
  int x = me; double y[6]; char text[16]; struct s st = {me, {me, 1, 2, 3}}; int m[3][4]; int *ptr = malloc(5 * sizeof(int)); long double ld = me;
  for (i = 0; i < 6; i++) y[i] = me * 10 + i;
  for (i = 0; i < 12; i++) m[i / 4][i % 4] = me * 100 + i;
  for (i = 0; i < 5; i++) ptr[i] = me + i;
  sprintf(text, "node %d", me);
#pragma xmp bcast (x, st, text) from p[root]
  CHECK(x == root && st.a == root && st.b[0] == root && text[5] == '0' + root);
#pragma xmp bcast (y[1:3]) from q(n)
  for (i = 0; i < 6; i++) CHECK(y[i] == (i >= 1 && i < 4 ? root : me) * 10 + i);
#pragma xmp bcast (m[1][:], m[2][0:4:3], ld) from t[39]
  { int r = 39 / 3 % n; for (i = 0; i < 12; i++) CHECK(m[i / 4][i % 4] == (i / 4 == 1 || i == 8 || i == 11 ? r : me) * 100 + i); CHECK(ld == r); }
#pragma xmp bcast (ptr[0:5]) from p[0] on p
  for (i = 0; i < 5; i++) CHECK(ptr[i] == i);
  x = me;
#pragma xmp bcast (x) from p[0] async(3)
#pragma xmp wait_async(3)
  CHECK(x == 0);
  x = me + 5;
  if (n > 1) {
#pragma xmp bcast (x) from p[1] on p[1:n-1]
    CHECK(x == (me >= 1 ? 6 : 5));
  }
  x = me;
#pragma xmp bcast (x) on q(2-1:n)
  CHECK(x == 0);
#pragma xmp wait_async(99)
  return failures != 0;
}
