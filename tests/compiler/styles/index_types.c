/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include <stddef.h>
#include <stdint.h>
#define N 33
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp template c[N]
#pragma xmp template g[N]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute c[cyclic(2)] onto p
#pragma xmp distribute g[cyclic] onto p
int a[N], b[N], d[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with c[i]
#pragma xmp align d[i] with g[i]
typedef unsigned long long ull;
static long gi;
int main(void)
{
  int s = 0; long l; unsigned u; short h; ull w; signed char ch; int64_t q; register int r;
#pragma xmp loop (l) on t[l]
  for (l = 0; l < N; l++) a[l] = l;
#pragma xmp loop (u) on c[u]
  for (u = 0u; u < N; u++) b[u] = u;
#pragma xmp loop (h) on g[h]
  for (h = 0; h < N; h++) d[h] = h;
#pragma xmp loop on t[w] reduction(+:s)
  for (w = 0; w < N; ++w) s += a[w];
#pragma xmp loop on c[ch] reduction(+:s)
  for (ch = N - 1; ch >= 0; ch--) s += b[ch];
#pragma xmp loop on g[q] reduction(+:s)
  for (q = N - 1; q > -1; q -= 1) s += d[q];
#pragma xmp loop on t[r] reduction(+:s)
  for (r = 0; r < N; r++) s += a[r];
#pragma xmp loop on g[gi] reduction(+:s)
  for (gi = 0; gi <= N - 1; gi += 2) s += d[gi];
#pragma xmp loop on t[k] reduction(+:s)
  for (size_t k = 0; k < N; k++) s += a[k];
#pragma xmp loop on c[k] reduction(+:s)
  for (uint8_t k = 1; k < N; k += 3) s += b[k];
  int want = 5 * N * (N - 1) / 2, k;
  for (k = 0; k < N; k += 2) want += k;
  for (k = 1; k < N; k += 3) want += k;
  CHECK(s == want);
  return failures != 0;
}
