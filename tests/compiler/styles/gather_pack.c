/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 16
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp template c[N]
#pragma xmp template s[4][4]
#pragma xmp nodes q[1][*]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute c[cyclic] onto p
#pragma xmp distribute s[block][cyclic] onto q
int a[N], b[N], i1[N], m[N], v[N], i2[4][4], j2[4][4], sq[4][4], out[4][4], m2[4][4]; double d[N], e[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with c[i]
#pragma xmp align i1[i] with c[i]
#pragma xmp align m[i] with t[i]
#pragma xmp align v[i] with c[i]
#pragma xmp align [i][j] with s[i][j] :: i2, j2, sq, out, m2
#pragma xmp align d[i] with t[i]
#pragma xmp align e[i] with c[i]
int main(void)
{
  int i, j;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { a[i] = 3 * i; m[i] = i % 3 == 0; d[i] = (i * 5) % N - 3.5; }
#pragma xmp loop on c[i]
  for (i = 0; i < N; i++) { i1[i] = N - 1 - i; b[i] = v[i] = -1; }
  xmp_gather(xmp_desc_of(b), xmp_desc_of(a), xmp_desc_of(i1));
#pragma xmp loop on c[i]
  for (i = 0; i < N; i++) CHECK(b[i] == 3 * (N - 1 - i));
  xmp_scatter(xmp_desc_of(a), xmp_desc_of(b), xmp_desc_of(i1));
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) CHECK(a[i] == 3 * i);
  xmp_pack(xmp_desc_of(v), xmp_desc_of(a), xmp_desc_of(m));
#pragma xmp loop on c[i]
  for (i = 0; i < 6; i++) CHECK(v[i] == 9 * i);
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) a[i] = -7;
  xmp_unpack(a[:], v[:], m[:]);
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) CHECK(a[i] == (i % 3 ? -7 : 3 * i));
  xmp_sort_up(xmp_desc_of(e), xmp_desc_of(d));
#pragma xmp loop on c[i]
  for (i = 0; i < N; i++) CHECK(e[i] == i - 3.5);
  xmp_sort_down(xmp_desc_of(d), xmp_desc_of(e));
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) CHECK(d[i] == N - 1 - i - 3.5);
#pragma xmp loop (i,j) on s[i][j]
  for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) { sq[i][j] = 10 * i + j; i2[i][j] = j; j2[i][j] = 3 - i; m2[i][j] = (i + j) % 2; out[i][j] = 0; }
  xmp_gather(out[:][:], sq[:][:], i2[:][:], j2[:][:]);
#pragma xmp loop (i,j) on s[i][j]
  for (i = 0; i < 4; i++) for (j = 0; j < 4; j++) CHECK(out[i][j] == 10 * j + 3 - i);
  xmp_pack(v[:], sq[:][:], m2[:][:]);
#pragma xmp loop on c[i]
  for (i = 0; i < 8; i++) CHECK(v[i] == 10 * (i / 2) + 2 * (i % 2) + (i / 2 % 2 == 0));
  xmp_pack(v[:], sq[:][:]);
#pragma xmp loop on c[i]
  for (i = 0; i < N; i++) CHECK(v[i] == 10 * (i / 4) + i % 4);
  return failures != 0;
}
