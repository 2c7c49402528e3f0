/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 12
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp template u(N)
#pragma xmp distribute t[block] onto p
#pragma xmp distribute u(cyclic) onto p
int i1[N]; double d1[N]; float f2[N][3]; unsigned char c[N];
#pragma xmp align i1[i] with t[i]
#pragma xmp align d1[i] with u(i+1)
#pragma xmp align f2[i][*] with t[i]
#pragma xmp align c[i] with u(i+1)
struct pt { int a, b; } sp[N], sq[N];
#pragma xmp align sp[i] with t[i]
#pragma xmp align sq[i] with u(i+1)
int main(void)
{
  int i, k, *mem = malloc(N * sizeof(int)); double dl[N], (*rows)[3] = malloc(N * sizeof *rows); struct pt one = {4, 5}, all[N];
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { i1[i] = i * 20; sp[i].a = i; sp[i].b = -i; for (k = 0; k < 3; k++) f2[i][k] = i + k / 4.0f; }
#pragma xmp gmove
  d1[:] = i1[:];
#pragma xmp gmove
  c[:] = d1[:];
#pragma xmp gmove
  mem[0:N] = c[0:N];
  for (i = 0; i < N; i++) CHECK(mem[i] == i * 20 % 256);
#pragma xmp gmove
  dl[:] = f2[:][2];
  for (i = 0; i < N; i++) CHECK(dl[i] == i + 0.5);
#pragma xmp gmove
  rows[0:N][0:3] = f2[:][:];
  for (i = 0; i < N; i++) CHECK(rows[i][1] == i + 0.25);
#pragma xmp gmove
  sq[:] = sp[:];
#pragma xmp gmove
  sq[3] = one;
#pragma xmp gmove
  all[0:N] = sq[0:N];
  for (i = 0; i < N; i++) CHECK(i == 3 ? all[i].a == 4 && all[i].b == 5 : all[i].b == -i);
#pragma xmp gmove
  f2[2:5][0:3] = i1[6];
#pragma xmp gmove
  f2[8][:] = dl[0:3];
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) for (k = 0; k < 3; k++) CHECK(f2[i][k] == (i >= 2 && i < 7 ? 120 : i == 8 ? k + 0.5f : i + k / 4.0f));
  double x = 0; int y = 0;
#pragma xmp gmove
  x = i1[3];
#pragma xmp gmove
  y = f2[8][1];
  CHECK(x == 60 && y == 1);
#pragma xmp gmove
  all[2] = sp[7];
  CHECK(all[2].a == 7);
#pragma xmp gmove
  mem[4:3] = i1[0:3];
  CHECK(mem[6] == 40 && mem[7] == 140);
  return failures != 0;
}
