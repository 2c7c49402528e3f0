/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#pragma xmp nodes p[1][1][*][1][1][1][1]
#pragma xmp template t[2][3][4][2][2][3][2]
#pragma xmp distribute t[block][block][block][block][block][block][cyclic] onto p
#pragma xmp template u(2,3,2,2,4,3,2)
#pragma xmp nodes q(*)
#pragma xmp distribute u(*,cyclic,*,*,*,*,*) onto q
int a[2][3][4][2][2][3][2], b[2][3][4][2][2][3][2];
#pragma xmp align a[i][j][k][l][m][n][o] with t[i][j][k][l][m][n][o]
#pragma xmp align b[i][j][k][l][m][n][o] with u(o+1,n+1,m+1,l+1,k+1,j+1,i+1)
int main(void)
{
  int i, j, k, l, m, n, o; long s = 0, r = 0;
#pragma xmp loop (i,j,k,l,m,n,o) on t[i][j][k][l][m][n][o]
  for (i = 0; i < 2; i++) for (j = 0; j < 3; j++) for (k = 0; k < 4; k++) for (l = 0; l < 2; l++) for (m = 0; m < 2; m++) for (n = 0; n < 3; n++) for (o = 0; o < 2; o++)
    a[i][j][k][l][m][n][o] = i + 2 * j + 3 * k + 5 * l + 7 * m + 11 * n + 13 * o;
#pragma xmp gmove
  b[:][:][:][:][:][:][:] = a[:][:][:][:][:][:][:];
#pragma xmp loop (n) on u(*,n+1,*,*,*,*,*) reduction(+:s)
  for (i = 0; i < 2; i++) for (j = 0; j < 3; j++) for (k = 0; k < 4; k++) for (l = 0; l < 2; l++) for (m = 0; m < 2; m++) for (n = 0; n < 3; n++) for (o = 0; o < 2; o++)
    { CHECK(b[i][j][k][l][m][n][o] == i + 2 * j + 3 * k + 5 * l + 7 * m + 11 * n + 13 * o); s += b[i][j][k][l][m][n][o]; }
  for (i = 0; i < 2; i++) for (j = 0; j < 3; j++) for (k = 0; k < 4; k++) for (l = 0; l < 2; l++) for (m = 0; m < 2; m++) for (n = 0; n < 3; n++) for (o = 0; o < 2; o++) r += i + 2 * j + 3 * k + 5 * l + 7 * m + 11 * n + 13 * o;
  CHECK(s == r);
  int loc[4][3];
#pragma xmp gmove
  loc[:][:] = b[1][2][:][0][1][:][1];
  for (k = 0; k < 4; k++) for (n = 0; n < 3; n++) CHECK(loc[k][n] == 1 + 4 + 3 * k + 7 + 11 * n + 13);
  return failures != 0;
}
