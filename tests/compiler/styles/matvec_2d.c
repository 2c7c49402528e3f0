/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 12
int main(void)
{
  int n = xmp_num_nodes(), r, i, j;
  for (r = 1; r * r < n; r++) ; while (n % r) r--;
  int c = n / r;
#pragma xmp nodes p(c, r)
#pragma xmp template t(N, N)
#pragma xmp distribute t(block, cyclic(2)) onto p
  int a[N][N], x[N], y[N], w[N];
#pragma xmp align a[i][j] with t(j+1, i+1)
#pragma xmp align x[j] with t(j+1, *)
#pragma xmp align y[i] with t(*, i+1)
#pragma xmp align w[i] with t(*, i+1)
#pragma xmp loop (j, i) on t(j+1, i+1)
  for (i = 0; i < N; i++) for (j = 0; j < N; j++) a[i][j] = i + 2 * j;
#pragma xmp loop (j) on t(j+1, :)
  for (j = 0; j < N; j++) x[j] = j - 3;
#pragma xmp loop (i) on t(:, i+1)
  for (i = 0; i < N; i++) { int s = 0;
#pragma xmp loop (j) on t(j+1, i+1) reduction(+:s)
    for (j = 0; j < N; j++) s += a[i][j] * x[j];
    y[i] = s; w[i] = 0; }
#pragma xmp loop (j, i) on t(j+1, i+1)
  for (i = 0; i < N; i++) for (j = 0; j < N; j++) w[i] += a[i][j] * x[j];
#pragma xmp reduction(+:w) on t(:, *)
#pragma xmp loop (i) on t(*, i+1)
  for (i = 0; i < N; i++) { int q = 0; for (j = 0; j < N; j++) q += (i + 2 * j) * (j - 3); CHECK(y[i] == q); CHECK(w[i] == q); }
  int local[N];
#pragma xmp gmove
  local[:] = y[:];
  for (i = 0; i < N; i++) { int q = 0; for (j = 0; j < N; j++) q += (i + 2 * j) * (j - 3); CHECK(local[i] == q); }
  return failures != 0;
}
