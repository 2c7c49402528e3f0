/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 11
int main(void)
{
  int n = xmp_num_nodes(), i, j, rows = n % 2 ? 1 : 2, cols = n / rows;
#pragma xmp nodes p[rows][cols]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][block] onto p
  int a[N][N], r[N], c[N];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align r[i] with t[i][*]
#pragma xmp align c[j] with t[*][j]
#pragma xmp loop (i) on t[i][:]
  for (i = 0; i < N; i++) r[i] = 10 * i;
#pragma xmp loop (j) on t[*][j]
  for (j = 0; j < N; j++) c[j] = j;
#pragma xmp loop (i,j) on t[i][j]
  for (i = 0; i < N; i++) for (j = 0; j < N; j++) a[i][j] = r[i] + c[j];
  int s = 0;
#pragma xmp loop (i,j) on t[i][j] reduction(+:s)
  for (i = 0; i < N; i++) for (j = 0; j < N; j++) s += a[i][j];
  CHECK(s == 11 * N * N * (N - 1) / 2);
  int x[N];
#pragma xmp gmove
  x[:] = r[:];
  for (i = 0; i < N; i++) CHECK(x[i] == 10 * i);
#pragma xmp gmove
  c[:] = r[:];
#pragma xmp loop (j) on t[:][j]
  for (j = 0; j < N; j++) CHECK(c[j] == 10 * j);
#pragma xmp gmove
  r[0:N] = a[0:N][4];
#pragma xmp loop (i) on t[i][:]
  for (i = 0; i < N; i++) CHECK(r[i] == 10 * i + 4);
  int rep, ax;
  CHECK(xmp_align_replicated(xmp_desc_of(r), 1, &rep) == 0);
  CHECK(xmp_align_axis(xmp_desc_of(c), 1, &ax) == 0 && ax == 1);
#pragma xmp task on p[0][:]
  {
    int row = 0;
#pragma xmp loop (j) on t[0][j] reduction(+:row)
    for (j = 0; j < N; j++) row += a[0][j];
    CHECK(row == N * (N - 1) / 2);
  }
#pragma xmp reduction(max:c) on p[:][*]
#pragma xmp bcast (r) from p[*][0] on p[*][:]
  return failures != 0;
}
