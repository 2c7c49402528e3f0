/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 37
#pragma xmp nodes p[*]
int w[64];
#pragma xmp template tb[N]
#pragma xmp template tc[N]
#pragma xmp template tk[N]
#pragma xmp template tg[:]
#pragma xmp distribute tb[block] onto p
#pragma xmp distribute tc[cyclic] onto p
#pragma xmp distribute tk[cyclic(3)] onto p
#pragma xmp distribute tg[gblock(*)] onto p
int b[N], c[N], k[N], *g, plain[N];
#pragma xmp align b[i] with tb[i]
#pragma xmp align c[i] with tc[i]
#pragma xmp align k[i] with tk[i]
#pragma xmp align g[i] with tg[i]
int main(void)
{
  int i, n = xmp_num_nodes(), rest = N;
  for (i = 0; i < n; i++) { w[i] = i == n-1 ? rest : rest / 3; rest -= w[i]; }
#pragma xmp template_fix [gblock(w)] tg[N]
  g = (int *)xmp_malloc(xmp_desc_of(g), N);
#pragma xmp loop on tb[i]
  for (i = 0; i < N; i++) b[i] = 1000 + i;
#pragma xmp gmove
  c[:] = b[:];
#pragma xmp gmove
  k[0:N] = c[0:N];
#pragma xmp gmove
  g[0:N] = k[:];
#pragma xmp gmove
  plain[:] = g[0:N];
  for (i = 0; i < N; i++) CHECK(plain[i] == 1000 + i);
#pragma xmp gmove
  c[1:12:3] = b[30:12:-2];
#pragma xmp gmove
  k[0:12:2] = c[1:12:3];
#pragma xmp gmove
  g[5:12] = k[0:12:2];
#pragma xmp gmove
  plain[20:12] = g[5:12];
  for (i = 0; i < 12; i++) CHECK(plain[20 + i] == 1000 + 30 - 2 * i);
#pragma xmp gmove
  c[0:N] = 7;
#pragma xmp gmove
  i = c[N-1];
  CHECK(i == 7);
#pragma xmp gmove
  k[3] = b[11];
#pragma xmp gmove
  i = k[3];
  CHECK(i == 1011);
#pragma xmp gmove
  b[:] = b[4];
#pragma xmp loop on tb[i]
  for (i = 0; i < N; i++) CHECK(b[i] == 1004);
#pragma xmp gmove
  b[0:10] = plain[20:10];
#pragma xmp gmove
  i = b[9];
  CHECK(i == 1000 + 30 - 18);
  return failures != 0;
}
