/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include <math.h>
#define N 18
#define M 6
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
#pragma xmp template c(0:N-1)
#pragma xmp distribute c(cyclic(2)) onto p
double a[N][M], b[N][M]; double x[N], y[N];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with t[i][j]
#pragma xmp align x[i] with c(i)
#pragma xmp align y[i] with c(i)
int main(void)
{
  int i, j;
#pragma xmp array on t[:][:]
  a[:][:] = 2.0;
#pragma xmp array on t[2:10][1:3]
  b[2:10][1:3] = a[2:10][1:3] * 3 + 1;
#pragma xmp array on t
  a[:][:] += b[:][:];
#pragma xmp loop (i,j) on t[i][j]
  for (i = 0; i < N; i++) for (j = 0; j < M; j++) CHECK(a[i][j] == (i >= 2 && i < 12 && j >= 1 && j < 4 ? 9 : 2));
#pragma xmp array on c(0:N-1)
  x[0:N] = 4.0;
#pragma xmp array on c(1:9:2)
  y[1:5:2] = sqrt(x[1:5:2]);
#pragma xmp loop on c(i)
  for (i = 0; i < N; i++) CHECK(y[i] == (i % 2 && i < 10 ? 2 : 0));
#pragma xmp array on t[3][:]
  a[3][:] = 5;
#pragma xmp loop (i,j) on t[i][j]
  for (i = 3; i < 4; i++) for (j = 0; j < M; j++) CHECK(a[i][j] == 5);
  return failures != 0;
}
