/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include <stdint.h>
#define N 19
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp template u[N]
#pragma xmp distribute t[cyclic(3)] onto p
#pragma xmp distribute u[block] onto p
#define ONE(T, f, g, SPREAD) T f[N], g[N]; _Pragma("xmp align " #f "[i] with t[i]")
char c1[N], c2[N]; short s1[N], s2[N]; unsigned u1[N], u2[N]; long l1[N], l2[N]; float f1[N], f2[N]; long double e1[N], e2[N]; unsigned long long w1[N], w2[N]; signed char h1[N], h2[N];
#pragma xmp align [i] with t[i] :: c1, s1, u1, l1, f1, e1, w1, h1
#pragma xmp align [i] with u[i] :: c2, s2, u2, l2, f2, e2, w2, h2
int main(void)
{
  int i;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { int k = (i * 7 + 3) % N; c1[i] = 'a' + k; s1[i] = k - 9; u1[i] = 4000000000u + k; l1[i] = (long)(k - 9) << 40; f1[i] = k / 4.0f - 2; e1[i] = 9 - k; w1[i] = 18000000000000000000ull + k; h1[i] = k - 9; }
  xmp_sort_up(xmp_desc_of(c2), xmp_desc_of(c1)); xmp_sort_up(xmp_desc_of(s2), xmp_desc_of(s1)); xmp_sort_down(xmp_desc_of(u2), xmp_desc_of(u1)); xmp_sort_up(xmp_desc_of(l2), xmp_desc_of(l1));
  xmp_sort_down(f2[:], f1[:]); xmp_sort_up(e2[:], e1[:]); xmp_sort_up(w2[:], w1[:]); xmp_sort_down(h2[:], h1[:]);
#pragma xmp loop on u[i]
  for (i = 0; i < N; i++) { CHECK(c2[i] == 'a' + i); CHECK(s2[i] == i - 9); CHECK(u2[i] == 4000000000u + N - 1 - i); CHECK(l2[i] == (long)(i - 9) << 40); CHECK(f2[i] == (N - 1 - i) / 4.0f - 2); CHECK(e2[i] == i - 9); CHECK(w2[i] == 18000000000000000000ull + i); CHECK(h2[i] == 9 - i); }
  return failures != 0;
}
