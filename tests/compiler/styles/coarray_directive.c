/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
int a[10], b[4][5];
double s;
#pragma xmp coarray a, b : [*]
#pragma xmp coarray s : [*]
static void ring(int me, int n)
{
  int k;
  for (k = 0; k < 10; k++) a[k] = me * 10 + k;
  for (k = 0; k < 20; k++) b[k / 5][k % 5] = me * 100 + k;
  s = me / 2.0;
  xmp_sync_all(NULL);
  int got[10], col[4], blk[2][2]; double t;
  got[:] = a[:]:[(me + 1) % n];
  for (k = 0; k < 10; k++) CHECK(got[k] == (me + 1) % n * 10 + k);
  col[:] = b[:][2]:[(me + n - 1) % n];
  for (k = 0; k < 4; k++) CHECK(col[k] == (me + n - 1) % n * 100 + 5 * k + 2);
  blk[:][:] = b[1:2][1:2:3]:[0];
  CHECK(blk[0][0] == 6 && blk[0][1] == 9 && blk[1][0] == 11 && blk[1][1] == 14);
  got[9:5:-2] = a[0:5]:[0];
  CHECK(got[9] == 0 && got[7] == 1 && got[1] == 4);
  t = s:[n-1];
  CHECK(t == (n - 1) / 2.0);
  xmp_sync_all(NULL);
  if (me == 0) { a[0:10]:[n-1] = -1; s:[n-1] += 3; }
  xmp_sync_all(NULL);
  if (me == n - 1) { for (k = 0; k < 10; k++) CHECK(a[k] == -1); CHECK(s == me / 2.0 + 3); }
}
int main(void) { ring(xmpc_this_image(), xmp_num_images()); return failures != 0; }
