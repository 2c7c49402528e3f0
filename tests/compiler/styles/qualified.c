/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 8
typedef double row[4];
typedef row table[N];
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
volatile double a[N]; volatile row b[N]; table c; volatile table d; row volatile e[N]; static volatile int f[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i][*] with t[i]
#pragma xmp align c[i][*] with t[i]
#pragma xmp align d[i][*] with t[i]
#pragma xmp align e[i][*] with t[i]
#pragma xmp align f[i] with t[i]
#pragma xmp shadow b[1][0]
double *volatile q; double (*restrict volatile r)[4];
#pragma xmp align q[i] with t[i]
#pragma xmp align r[i][*] with t[i]
static double use(const double v[N], const row w[N]) {
#pragma xmp align v[i] with t[i]
#pragma xmp align w[i][*] with t[i]
  double s = 0;
#pragma xmp loop on t[i] reduction(+:s)
  for (int i = 0; i < N; i++) s += v[i] + w[i][3];
  return s; }
int main(void) {
  int i, j; double s = 0, x[N];
#pragma xmp align x[i] with t[i]
  q = xmp_malloc(xmp_desc_of(q), N); r = xmp_malloc(xmp_desc_of(r), N, 4);
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { a[i] = f[i] = q[i] = x[i] = i; for (j = 0; j < 4; j++) b[i][j] = c[i][j] = d[i][j] = e[i][j] = r[i][j] = i + j; }
#pragma xmp reflect (b)
#pragma xmp loop on t[i] reduction(+:s)
  for (i = 1; i < N; i++) s += a[i] + b[i-1][3] + c[i][0] + d[i][1] + e[i][2] + f[i] + q[i] + r[i][1];
  double want = 0;
  for (i = 1; i < N; i++) want += i + i - 1 + 3 + i + i + 1 + i + 2 + i + i + i + 1;
  CHECK(s == want);
  CHECK(sizeof(b) == N * 4 * sizeof(double) && sizeof(b[0]) == 32);
  CHECK(use(x, c) == 28 + 28 + 24);
  return failures != 0; }
