/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 16
#define PRAGMA(x) _Pragma(#x)
#define XLOOP(i, t) PRAGMA(xmp loop (i) on t[i])
#define XSUM(i, t, s) PRAGMA(xmp loop (i) on t[i] reduction(+:s))
#define FORALL(i, lo, hi) XLOOP(i, t) for (int i = (lo); i < (hi); i++)
#define EXCHANGE(a) PRAGMA(xmp reflect (a))
#define DECLARE(T, a) T a[N]; PRAGMA(xmp align a[i] with t[i]) PRAGMA(xmp shadow a[1])
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
DECLARE(int, a)
DECLARE(double, b)
#define LAPLACE(i) (a[(i)-1] - 2 * a[i] + a[(i)+1])
int main(void)
{
  double s = 0;
  FORALL(i, 0, N) a[i] = i * i;
  EXCHANGE(a)
  FORALL(i, 1, N - 1) { b[i] = LAPLACE(i); }
  FORALL(i, 0, 1) b[i] = b[i] + 0;
  XSUM(i, t, s)
  for (int i = 1; i < N - 1; i++) s += b[i];
  CHECK(s == 2 * (N - 2));
  for (int k = 0; k < 3; k++) { FORALL(j, 0, N) a[j] += k; EXCHANGE(a); }
  s = 0;
  XSUM(i, t, s) for (int i = 0; i < N; i++) { s += a[i]; }
  CHECK(s == (N - 1) * N * (2 * N - 1) / 6 + 3 * N);
  return failures != 0;
}
