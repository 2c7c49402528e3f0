/* SPDX-License-Identifier: Apache-2.0 */
/* K&R functions, implicit main return, aligned dummy arguments */
#include "check.h"
#define N 12
#pragma xmp nodes p(*)
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(cyclic) onto p
int a[N], b[N];
#pragma xmp align a[i] with t(i)
#pragma xmp align b[i] with t(i)
void scale(v, k, w)
int v[N];
int k;
int w[N];
#pragma xmp align v[i] with t(i)
#pragma xmp align w[i] with t(i)
{
  int i;
#pragma xmp loop on t(i)
  for (i = 0; i < N; i++) v[i] = w[i] * k;
}
int total(v)
int v[N];
{
#pragma xmp align v[i] with t(i)
  int i, s;
  s = 0;
#pragma xmp loop on t(i) reduction(+:s)
  for (i = 0; i < N; ++i) s = s + v[i];
  return s;
}
main()
{
  int i;
#pragma xmp loop on t(i)
  for (i = 0; i < N; i++) b[i] = i;
  scale(a, 3, b);
  CHECK(total(a) == 3 * N * (N-1) / 2);
  if (failures) exit(1);
}
