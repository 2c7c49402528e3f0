/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 25
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic] onto p
struct st { int x; double y[3]; } s, *sp = &s;
int hist[5], mat[2][3];
int main(void)
{
  int i, *q, x = 0, k, n = xmp_num_nodes(), me = xmpc_node_num(); double *h = calloc(4, sizeof *h);
  q = &x;
#pragma xmp loop on t[i] reduction(+:hist) reduction(+:mat, s.x) reduction(+:sp->y[1]) reduction(+:*q) reduction(+:h[0:4])
  for (i = 0; i < N; i++) { hist[i % 5] += i; mat[i % 2][i % 3] += 1; s.x += i; sp->y[1] += i / 2.0; *q += 2; h[i % 4] += i; }
  for (k = 0; k < 5; k++) { int r = 0; for (i = 0; i < N; i++) if (i % 5 == k) r += i; CHECK(hist[k] == r); }
  for (k = 0; k < 6; k++) { int r = 0; for (i = 0; i < N; i++) if (i % 2 == k / 3 && i % 3 == k % 3) r++; CHECK(mat[k / 3][k % 3] == r); }
  for (k = 0; k < 4; k++) { double r = 0; for (i = 0; i < N; i++) if (i % 4 == k) r += i; CHECK(h[k] == r); }
  CHECK(s.x == 300 && s.y[1] == 150 && x == 50);
  s.y[0] = me; s.y[2] = -me; hist[0] = 1; hist[1] = me; mat[1][2] = 2;
#pragma xmp reduction(max:s.y[0], sp->y[2])
#pragma xmp reduction(+:hist[0:2], mat[1][2])
#pragma xmp reduction(MIN:(*q))
  CHECK(s.y[0] == n - 1 && s.y[2] == 0); CHECK(hist[0] == n && hist[1] == n * (n - 1) / 2 && mat[1][2] == 2 * n);
  int b1 = me % 2 ? 6 : 3, b2 = b1, b3 = b1, l1 = me, l2 = me;
#pragma xmp reduction(&:b1)
#pragma xmp reduction(|:b2)
#pragma xmp reduction(^:b3)
#pragma xmp reduction(&&:l1)
#pragma xmp reduction(||:l2)
  CHECK(b1 == (n > 1 ? 2 : 3)); CHECK(b2 == (n > 1 ? 7 : 3)); CHECK(l1 == 0); CHECK(l2 == (n > 1));
  { int r = 0; for (k = 0; k < n; k++) r ^= k % 2 ? 6 : 3; CHECK(b3 == r); }
  double v = me * 1.5; int at = me * 10, at2 = -me;
#pragma xmp reduction(max:v/at,at2/)
  CHECK(v == (n - 1) * 1.5 && at == (n - 1) * 10 && at2 == 1 - n);
  return failures != 0;
}
