/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 14
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double x[N], y[N], m[N][N];
#pragma xmp align x[i] with t[i]
#pragma xmp align y[i] with t[i]
#pragma xmp align m[i][*] with t[i]
#pragma xmp shadow x[*]
#pragma xmp shadow m[*][0]
int main(void)
{
  int i, j;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { x[i] = i + 1; for (j = 0; j < N; j++) m[i][j] = i == j ? 2 : i - j; }
#pragma xmp reflect (x, m)
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { y[i] = 0; for (j = 0; j < N; j++) y[i] += m[i][j] * x[j]; }
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { double r = 0; for (j = 0; j < N; j++) r += (i == j ? 2 : i - j) * (j + 1.0); CHECK(y[i] == r); }
  for (i = 0; i < N; i++) for (j = 0; j < N; j++) CHECK(m[i][j] == (i == j ? 2 : i - j));
  double s = 0;
  for (i = 0; i < N; i++) s += x[i];
  CHECK(s == N * (N + 1) / 2);
#pragma xmp bcast (x[3])
  CHECK(x[3] == 4);
  return failures != 0;
}
