/* SPDX-License-Identifier: Apache-2.0 */
/* directives in odd places: switch, labels, else branches, do-while, nested functions' loops, ternaries */
#include "check.h"
#define N 18
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
int main(void)
{
  int i, k, s = 0, steps = 0;
  for (k = 0; k < 5; k++)
    switch (k) {
    case 0:
#pragma xmp loop on t[i]
      for (i = 0; i < N; i++) a[i] = 1;
      break;
    case 1: {
#pragma xmp loop on t[i]
      for (i = 0; i < N; i++) a[i] += 1;
    }
    case 2:
#pragma xmp reflect (a)
      steps++;
      break;
    case 3:
      if (steps)
#pragma xmp loop on t[i]
        for (i = 1; i < N; i++) a[i] += 0 * a[i-1] + 1;
      else
#pragma xmp loop on t[i]
        for (i = 0; i < N; i++) a[i] = -100;
      break;
    default:
      goto done;
    }
done:
#pragma xmp loop on t[i] reduction(+:s)
  for (i = 0; i < N; i++) s += a[i];
  CHECK(s == 2 * N + N - 1);
  k = 0;
  do
#pragma xmp loop on t[i]
    for (i = 0; i < N; i++) a[i]++;
  while (++k < 3);
  while (k-- > 0)
#pragma xmp barrier
  s = 0;
  s = 0;
again:
#pragma xmp reduction(+:s)
  if (s == 0 && k > -3) { k--; s = 0; goto again; }
#pragma xmp loop on t[i] reduction(+:s)
  for (i = 0; i < N; i++) { if (a[i] % 2) continue; s += a[i]; }
  CHECK(s == 6 * (N - 1));
  return failures != 0;
}
