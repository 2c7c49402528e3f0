/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 14
#define M 13
int main(void)
{
  int n = xmp_num_nodes(), me = xmpc_node_num(), rows = n % 2 ? 1 : 2, cols = n / rows, i, j, s = 0;
  int *g = malloc(rows * sizeof(int)), *h = malloc(cols * sizeof(int));
  for (i = 0; i < rows; i++) g[i] = i == rows - 1 ? N - (rows - 1) * 3 : 3;
  for (i = 0; i < cols; i++) h[i] = i == 0 ? M - (cols - 1) : 1;
#pragma xmp nodes p[rows][cols]
#pragma xmp template t[N][M]
#pragma xmp distribute t[gblock(g)][gblock(h)] onto p
#pragma xmp template u(M,N)
#pragma xmp distribute u(cyclic(2),block) onto p
  double a[N][M], b[N][M];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with u(j+1,i+1)
#pragma xmp shadow a[1:1][1:1]
#pragma xmp loop (i,j) on t[i][j]
  for (i = 0; i < N; i++) for (j = 0; j < M; j++) a[i][j] = 31 * i + j;
#pragma xmp reflect (a)
#pragma xmp loop (i,j) on t[i][j] reduction(+:s)
  for (i = 1; i < N - 1; i++) for (j = 1; j < M - 1; j++) { CHECK(a[i-1][j+1] == 31 * (i - 1) + j + 1); CHECK(a[i+1][j-1] == 31 * (i + 1) + j - 1); s++; }
  CHECK(s == (N - 2) * (M - 2));
#pragma xmp gmove
  b[1:N-2][0:M] = a[2:N-2][0:M];
#pragma xmp gmove
  b[0][:] = a[13][:];
#pragma xmp gmove
  b[N-1][:] = a[0][12:13:-1];
#pragma xmp loop (j,i) on u(j+1,i+1)
  for (i = 0; i < N; i++) for (j = 0; j < M; j++) CHECK(b[i][j] == (i == 0 ? 31 * 13 + j : i == N - 1 ? 12 - j : 31 * (i + 1) + j));
  (void)me;
  return failures != 0;
}
