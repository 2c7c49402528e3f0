/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include <string.h>
struct inner { int v[3]; double d; };
struct outer { struct inner in[2]; int n; };
struct outer o:[*], arr[3]:[*];
typedef int vec3[3];
vec3 tv:[*];
static int hidden[4]:[*];
int grid[2][2]:[2][*];
int main(void)
{
  int n = xmp_num_images(), me = xmpc_this_image(), nxt = (me + 1) % n, k;
  memset(&o, 0, sizeof o); memset(arr, 0, sizeof arr);
  o.n = me; o.in[1].v[2] = me * 3; arr[2].in[0].d = me + .5;
  for (k = 0; k < 3; k++) tv[k] = me + k; for (k = 0; k < 4; k++) hidden[k] = -me - k; for (k = 0; k < 4; k++) grid[k / 2][k % 2] = 10 * me + k;
  xmp_sync_all(NULL);
  int i = o:[nxt].n; CHECK(i == nxt);
  i = o.in[1].v[2]:[nxt]; CHECK(i == nxt * 3);
  i = o:[nxt].in[1].v[2] + o.n; CHECK(i == nxt * 3 + me);
  double d = arr[2]:[nxt].in[0].d; CHECK(d == nxt + .5);
  struct inner in = arr[2]:[nxt].in[0]; CHECK(in.d == nxt + .5);
  int v[3]; v[:] = tv[:]:[nxt]; CHECK(v[2] == nxt + 2);
  v[0:2] = o.in[1].v[1:2]:[nxt]; CHECK(v[1] == nxt * 3);
  CHECK(hidden[3]:[nxt] == -nxt - 3);
  if (n % 2 == 0) { int g = grid[1][0]:[nxt % 2][nxt / 2]; CHECK(g == 10 * nxt + 2); }
  xmp_sync_all(NULL);
  o.in[0].v[0:3]:[nxt] = tv[0:3];
  arr[0].n:[nxt] = arr[1].n:[nxt] = 4;
  hidden[1]:[nxt] += 100; hidden[2]:[nxt]++;
  xmp_sync_all(NULL);
  int prv = (me + n - 1) % n;
  CHECK(o.in[0].v[1] == prv + 1);
  CHECK(arr[0].n == 4 && arr[1].n == 4 && arr[2].n == 0);
  CHECK(hidden[1] == -me - 1 + 100 && hidden[2] == -me - 1);
  return failures != 0;
}
