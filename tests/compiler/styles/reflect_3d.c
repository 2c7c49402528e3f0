/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define X 8
#define Y 10
#define Z 12
#pragma xmp nodes p[*][1][1]
#pragma xmp nodes q[1][*][1]
#pragma xmp nodes r[1][1][*]
#pragma xmp template t[X][Y][Z]
#pragma xmp template u[X][Y][Z]
#pragma xmp template v[X][Y][Z]
#pragma xmp distribute t[block][block][block] onto p
#pragma xmp distribute u[block][block][block] onto q
#pragma xmp distribute v[block][block][block] onto r
int a[X][Y][Z], b[X][Y][Z], c[X][Y][Z];
#pragma xmp align a[i][j][k] with t[i][j][k]
#pragma xmp align b[i][j][k] with u[i][j][k]
#pragma xmp align c[i][j][k] with v[i][j][k]
#pragma xmp shadow a[1][2:1][0:1]
#pragma xmp shadow b[1:0][2][1]
#pragma xmp shadow c[0][1:2][2]
static int at(int i, int j, int k) { i = (i + X) % X; j = (j + Y) % Y; k = (k + Z) % Z; return 10000 * i + 100 * j + k; }
int main(void)
{
  int i, j, k;
#pragma xmp loop (i,j,k) on t[i][j][k]
  for (i = 0; i < X; i++) for (j = 0; j < Y; j++) for (k = 0; k < Z; k++) a[i][j][k] = at(i,j,k);
#pragma xmp loop (i,j,k) on u[i][j][k]
  for (i = 0; i < X; i++) for (j = 0; j < Y; j++) for (k = 0; k < Z; k++) b[i][j][k] = at(i,j,k);
#pragma xmp loop (i,j,k) on v[i][j][k]
  for (i = 0; i < X; i++) for (j = 0; j < Y; j++) for (k = 0; k < Z; k++) c[i][j][k] = at(i,j,k);
#pragma xmp reflect (a) width(/periodic/1,/periodic/2:1,/periodic/0:1)
#pragma xmp reflect (b) width(/periodic/1:0,/periodic/2:2,/periodic/1) async(5)
#pragma xmp reflect (c) width(/periodic/0,/periodic/1:2,/periodic/2) async(6)
#pragma xmp wait_async(5, 6)
#pragma xmp loop (i,j,k) on t[i][j][k]
  for (i = 0; i < X; i++) for (j = 0; j < Y; j++) for (k = 0; k < Z; k++) {
    CHECK(a[i-1][j-2][k+1] == at(i-1,j-2,k+1)); CHECK(a[i+1][j+1][k] == at(i+1,j+1,k)); }
#pragma xmp loop (i,j,k) on u[i][j][k]
  for (i = 0; i < X; i++) for (j = 0; j < Y; j++) for (k = 0; k < Z; k++) {
    CHECK(b[i-1][j-2][k+1] == at(i-1,j-2,k+1)); CHECK(b[i][j+2][k-1] == at(i,j+2,k-1)); }
#pragma xmp loop (i,j,k) on v[i][j][k]
  for (i = 0; i < X; i++) for (j = 0; j < Y; j++) for (k = 0; k < Z; k++) {
    CHECK(c[i][j-1][k+2] == at(i,j-1,k+2)); CHECK(c[i][j+2][k-2] == at(i,j+2,k-2)); }
  return failures != 0;
}
