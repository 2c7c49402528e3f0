/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 10
#define M 8
#pragma xmp nodes p[*]
#pragma xmp nodes q[*][1]
#pragma xmp template r[N][M]
#pragma xmp template c[N][M]
#pragma xmp template s[M][N]
#pragma xmp distribute r[block][*] onto p
#pragma xmp distribute c[*][cyclic] onto p
#pragma xmp distribute s[cyclic(2)][block] onto q
double a[N][M], b[N][M], d[M][N], row[M], cube[3][N][M];
#pragma xmp align a[i][j] with r[i][j]
#pragma xmp align b[i][j] with c[i][j]
#pragma xmp align d[i][j] with s[i][j]
#pragma xmp align row[j] with c[*][j]
#pragma xmp align cube[*][i][j] with r[i][j]
#pragma xmp shadow a[1][0]
int main(void)
{
  int i, j, k; double loc[N][M], col[N];
#pragma xmp loop (i,j) on r[i][j]
  for (i = 0; i < N; i++) for (j = 0; j < M; j++) { a[i][j] = 100 * i + j; for (k = 0; k < 3; k++) cube[k][i][j] = 10000 * k + 100 * i + j; }
#pragma xmp gmove
  b[:][:] = a[:][:];
#pragma xmp loop (j) on c[:][j]
  for (i = 0; i < N; i++) for (j = 0; j < M; j++) CHECK(b[i][j] == 100 * i + j);
#pragma xmp gmove
  d[2][0:N] = a[:][5];
#pragma xmp gmove
  d[3][:] = cube[2][:][1];
#pragma xmp gmove
  d[4][9:10:-1] = b[0:10][7];
#pragma xmp gmove
  loc[0:N][0:3] = cube[1][:][2:3:2];
  for (i = 0; i < N; i++) for (j = 0; j < 3; j++) CHECK(loc[i][j] == 10000 + 100 * i + 2 + 2 * j);
#pragma xmp gmove
  col[:] = d[2][:];
  for (i = 0; i < N; i++) CHECK(col[i] == 100 * i + 5);
#pragma xmp gmove
  col[:] = d[3][:];
  for (i = 0; i < N; i++) CHECK(col[i] == 20000 + 100 * i + 1);
#pragma xmp gmove
  col[:] = d[4][:];
  for (i = 0; i < N; i++) CHECK(col[i] == 100 * (9 - i) + 7);
#pragma xmp gmove
  row[:] = a[4][:];
#pragma xmp loop (j) on c[*][j]
  for (j = 0; j < M; j++) CHECK(row[j] == 400 + j);
#pragma xmp gmove
  a[1:4][0:M] = a[5:4][0:M];
#pragma xmp gmove
  cube[0][:][:] = b[:][:];
#pragma xmp gmove
  cube[2][0:4:3][1] = cube[1][0:4:3][6];
#pragma xmp loop (i,j) on r[i][j]
  for (i = 0; i < N; i++) for (j = 0; j < M; j++) { CHECK(a[i][j] == 100 * (i >= 1 && i < 5 ? i + 4 : i) + j); CHECK(cube[0][i][j] == 100 * i + j); CHECK(cube[2][i][j] == (j == 1 && i % 3 == 0 ? 10000 + 100 * i + 6 : 20000 + 100 * i + j)); }
  return failures != 0;
}
