/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 9
#define M 11
#pragma xmp nodes p[*][1]
#pragma xmp nodes q(1,*)
#pragma xmp template t[N][M]
#pragma xmp template u(0:M-1,0:N-1)
#pragma xmp distribute t[block][block] onto p
#pragma xmp distribute u(block,cyclic) onto q
int a[N][M], b[N][M], c[M][N];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with u(j,i)
#pragma xmp align c[j][i] with u(j,i)
int main(void)
{
  int i, j, s = 0;
#pragma xmp loop (i,j) on t[i][j]
  for (i = 0; i < N; i++) for (j = 0; j < M; j++) a[i][j] = 100 * i + j;
#pragma xmp loop (j,i) on u(j,i)
  for (i = 0; i < N; i++) for (j = 0; j < M; j++) { b[i][j] = 0; c[j][i] = -(100 * i + j); }
#pragma xmp gmove
  b[:][:] = a[:][:];
#pragma xmp loop (j,i) on u(j,i) reduction(+:s)
  for (j = 0; j < M; j++) for (i = 0; i < N; i++) { s += b[i][j] + c[j][i]; CHECK(b[i][j] == 100 * i + j); }
  CHECK(s == 0);
  xmp_transpose(xmp_desc_of(c), xmp_desc_of(a), 0);
#pragma xmp loop (j,i) on u(j,i)
  for (j = 0; j < M; j++) for (i = 0; i < N; i++) CHECK(c[j][i] == 100 * i + j);
  return failures != 0;
}
