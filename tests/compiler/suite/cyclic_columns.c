/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 1 2 3 4 6 8 16 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
static const int n = 40;
int result = 0;
int a[40][40];
int sum;
#pragma xmp nodes p[*]
#pragma xmp template t[40][40]
#pragma xmp distribute t[*][cyclic(3)] onto p
#pragma xmp align a[i][j] with t[i][j]
void init(int m)
{
  int i, j;
#pragma xmp loop (j) on t[*][j]
  for (j = 0; j < n; j++)
    for (i = 0; i < m; i++) a[i][j] = i * n + j;
}
int main(int argc, char *argv[])
{
  int i, j, s = 0;
  init(n);
#pragma xmp loop (i, j) on t[i][j] reduction(+:sum)
  for (i = 0; i < n; i++) for (j = 0; j < n; j++) sum += a[i][j];
  if (sum != 1600*1599/2) result = 1;
  for (i = 0; i < n; i++) {
#pragma xmp loop (j) on t[i][j] reduction(+:s)
    for (j = i; j < n; j += 1) s += a[i][j] % 2;
  }
  int ans = 0;
  for (i = 0; i < n; i++) for (j = i; j < n; j++) ans += (i*n+j)%2;
  if (ans != s) { result = 1; }
#pragma xmp loop on t[:][j]
  for (j = n-1; j >= 0; j--) a[0][j] = -j;
#pragma xmp loop (j) on t[3][j]
  for (j = 0; j < n; j++) if (a[0][j] != -j) result = 1;
#pragma xmp reduction(max:result)
  if (xmpc_all_node_num() == 0) puts(result ? "ERROR" : "PASS");
  return result;
}
