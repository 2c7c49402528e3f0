/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 30
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp template c[N]
#pragma xmp template d[6][5]
#pragma xmp nodes q[*][1]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute c[cyclic(2)] onto p
#pragma xmp distribute d[cyclic][block] onto q
int v[N]; double w[N]; float m[6][5];
#pragma xmp align v[i] with t[i]
#pragma xmp align w[i] with c[i]
#pragma xmp align m[i][j] with d[i][j]
int main(void)
{
  int i, j, big, at, at2;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) v[i] = (i * 7) % 10;
#pragma xmp loop on c[i]
  for (i = 0; i < N; i++) w[i] = (i * 7) % 10;
#pragma xmp loop (i,j) on d[i][j]
  for (i = 0; i < 6; i++) for (j = 0; j < 5; j++) m[i][j] = (i * 5 + j) * 7 % 10;
  big = -1; at = at2 = -1;
#pragma xmp loop on t[i] reduction(firstmax:big/at/)
  for (i = 0; i < N; i++) if (v[i] > big) { big = v[i]; at = i; }
  CHECK(big == 9 && at == 7);
  big = -1;
#pragma xmp loop on t[i] reduction(lastmax:big/at,at2/)
  for (i = 0; i < N; i++) if (v[i] >= big) { big = v[i]; at = i; at2 = -i; }
  CHECK(big == 9 && at == 27 && at2 == -27);
  double low = 100;
#pragma xmp loop on c[i] reduction(firstmin:low/at/)
  for (i = 0; i < N; i++) if (w[i] < low) { low = w[i]; at = i; }
  CHECK(low == 0 && at == 0);
  low = 100;
#pragma xmp loop on c[i] reduction(lastmin:low/at/)
  for (i = 0; i < N; i++) if (w[i] <= low) { low = w[i]; at = i; }
  CHECK(low == 0 && at == 20);
  low = 100;
#pragma xmp loop on c[i] reduction(FIRSTMIN:low/at/)
  for (i = N - 1; i >= 0; i--) if (w[i] < low) { low = w[i]; at = i; }
  CHECK(low == 0 && at == 20);
  float best = -1; int bi = -1, bj = -1;
#pragma xmp loop (i,j) on d[i][j] reduction(firstmax:best/bi,bj/)
  for (i = 0; i < 6; i++) for (j = 0; j < 5; j++) if (m[i][j] > best) { best = m[i][j]; bi = i; bj = j; }
  CHECK(best == 9 && bi == 1 && bj == 2);
  best = -1;
#pragma xmp loop (i,j) on d[i][j] reduction(lastmax:best/bi,bj/)
  for (i = 0; i < 6; i++) for (j = 0; j < 5; j++) if (m[i][j] >= best) { best = m[i][j]; bi = i; bj = j; }
  CHECK(best == 9 && bi == 5 && bj == 2);
  return failures != 0;
}
