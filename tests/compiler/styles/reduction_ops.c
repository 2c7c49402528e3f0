/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include <limits.h>
#define N 40
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic] onto p
unsigned char uc[N]; short sh[N]; unsigned long ul[N]; long long ll[N]; signed char sc[N]; unsigned u[N];
#pragma xmp align [i] with t[i] :: uc, sh, ul, ll, sc, u
int main(void)
{
  int i;
#pragma xmp loop (i) on t[i]
  for (i = 0; i < N; i++) { uc[i] = i; sh[i] = -i; ul[i] = 1UL << i; ll[i] = (long long)i << 33; sc[i] = i % 2 ? -i : i; u[i] = ~(1u << (i % 32)); }
  unsigned char a = 0; short b = 5; unsigned long c = 0; long long d = 0; signed char e = 0; unsigned f = ~0u; int land = 1, lor = 0; unsigned long x = 0; double pr = 1; short mn = 100; signed char mx = -100; long minus = 3;
#pragma xmp loop (i) on t[i] reduction(+:a,b) reduction(|:c) reduction(+:d) reduction(^:x) reduction(&:f) reduction(&&:land) reduction(||:lor) reduction(*:pr) reduction(min:mn) reduction(MAX:mx) reduction(-:minus)
  for (i = 0; i < N; i++) {
    a += uc[i]; b += sh[i]; c |= ul[i]; d += ll[i]; x ^= ul[i] | 1; f &= u[i]; land = land && i < N; lor = lor || i == 17; if (i && i < 12) pr *= i; if (sh[i] < mn) mn = sh[i]; if (sc[i] > mx) mx = sc[i]; minus -= i; }
  unsigned char ra = 0; short rb = 5; unsigned long rc = 0, rx = 0; long long rd = 0; unsigned rf = ~0u; double rp = 1; long rm = 3;
  for (i = 0; i < N; i++) { ra += i; rb -= i; rc |= 1UL << i; rd += (long long)i << 33; rx ^= (1UL << i) | 1; rf &= ~(1u << (i % 32)); if (i && i < 12) rp *= i; rm -= i; }
  CHECK(a == ra); CHECK(b == rb); CHECK(c == rc); CHECK(d == rd); CHECK(x == rx); CHECK(f == rf); CHECK(land == 1); CHECK(lor == 1); CHECK(pr == rp); CHECK(mn == -(N-1)); CHECK(mx == N - 2); CHECK(minus == rm);
  return failures != 0;
}
