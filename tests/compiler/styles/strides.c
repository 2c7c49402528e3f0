/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 50
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp template c(0:N-1)
#pragma xmp template k[N]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute c(cyclic) onto p
#pragma xmp distribute k[cyclic(4)] onto p
int a[N], b[N], d[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with c(i)
#pragma xmp align d[i] with k[i]
#define TRY(T, X, HEAD) do { int s = 0, r = 0, cnt = 0; \
  _Pragma("xmp loop (i) on T reduction(+:s,cnt)") \
  for (HEAD) { s += X[i] * 3; cnt++; } \
  int rc = 0; for (HEAD) { r += (i + 1) * 3; rc++; } CHECK(s == r); CHECK(cnt == rc); } while (0)
int main(void)
{
  int i, lo = 3, hi = 47, st = 4, neg = -5;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) a[i] = i + 1;
#pragma xmp loop on c(i)
  for (i = 0; i < N; i++) b[i] = i + 1;
#pragma xmp loop on k[i]
  for (i = 0; i < N; i++) d[i] = i + 1;
  int s, r;
#define ONE(HEAD) \
  s = r = 0; \
  _Pragma("xmp loop (i) on t[i] reduction(+:s)") \
  for (HEAD) s += a[i] * 3; \
  for (HEAD) r += (i + 1) * 3; \
  CHECK(s == r); s = 0; \
  _Pragma("xmp loop (i) on c(i) reduction(+:s)") \
  for (HEAD) s += b[i] * 3; \
  CHECK(s == r); s = 0; \
  _Pragma("xmp loop (i) on k[i] reduction(+:s)") \
  for (HEAD) s += d[i] * 3; \
  CHECK(s == r);
  ONE(i = 0; i < N; i += 3)
  ONE(i = N - 1; i >= 0; --i)
  ONE(i = hi; i > lo; i -= st)
  ONE(i = hi; i >= lo; i += neg)
  ONE(i = lo; i <= hi; i = i + st)
  ONE(i = lo; hi > i; i += 7)
  ONE(i = lo; i < lo; i++)
  ONE(i = hi; i < lo; i++)
  ONE(i = lo; i != hi; i++)
  ONE(i = 1; i < N; i += N)
  ONE(i = N - 1; 0 <= i; i--)
  ONE(i = lo * 2 + 1; i < hi - 2 * lo; i += st / 2)
  return failures != 0;
}
