/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 16
#pragma xmp nodes p[*]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][*] onto p
double a[N][N], b[N][N];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with t[i][j]
#pragma xmp shadow a[1][0]
static void relax(double to[N][N], double from[N][N], int lo, int hi)
{
#pragma xmp align to[i][j] with t[i][j]
#pragma xmp align from[i][j] with t[i][j]
#pragma xmp shadow from[1][0]
  int i, j;
#pragma xmp reflect (from)
#pragma xmp loop (i) on t[i][*]
  for (i = lo; i < hi; i++)
    for (j = 1; j < N - 1; j++) to[i][j] = 0.25 * (from[i-1][j] + from[i+1][j] + from[i][j-1] + from[i][j+1]);
}
static double norm(double x[][N])
{
#pragma xmp align x[i][j] with t[i][j]
  double s = 0; int i, j;
#pragma xmp loop (i,j) on t[i][j] reduction(+:s)
  for (i = 0; i < N; i++) for (j = 0; j < N; j++) s += x[i][j] * (i + 2 * j);
  return s;
}
static double twice(double x[N][N], int k) {
#pragma xmp align x[i][j] with t[i][j]
  return k ? norm(x) + twice(x, k - 1) : 0; }
int main(void)
{
  static double sa[N][N], sb[N][N];
  int i, j, k;
  for (i = 0; i < N; i++) for (j = 0; j < N; j++) sa[i][j] = i * j % 7, sb[i][j] = 0;
#pragma xmp loop (i,j) on t[i][j]
  for (i = 0; i < N; i++) for (j = 0; j < N; j++) a[i][j] = i * j % 7, b[i][j] = 0;
  for (k = 0; k < 4; k++) {
    relax(b, a, 1, N - 1);
#pragma xmp loop (i) on t[i][*]
    for (i = 1; i < N-1; i++) for (j = 1; j < N-1; j++) a[i][j] = b[i][j];
    for (i = 1; i < N-1; i++) for (j = 1; j < N-1; j++) sb[i][j] = 0.25 * (sa[i-1][j] + sa[i+1][j] + sa[i][j-1] + sa[i][j+1]);
    for (i = 1; i < N-1; i++) for (j = 1; j < N-1; j++) sa[i][j] = sb[i][j];
  }
  double r = 0;
  for (i = 0; i < N; i++) for (j = 0; j < N; j++) r += sa[i][j] * (i + 2 * j);
  double got = norm(a);
  CHECK(got > r - 1e-9 && got < r + 1e-9);
  got = twice(a, 3);
  CHECK(got > 3 * r - 1e-9 && got < 3 * r + 1e-9);
  return failures != 0;
}
