/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define M 6
#pragma xmp nodes p[*]
#pragma xmp template t(:)
#pragma xmp distribute t(block) onto p
double (*a)[M], *b; float (* restrict c)[2][3];
typedef double (*rows)[M];
rows d;
#pragma xmp align a[i][*] with t(i)
#pragma xmp align b[i] with t(i)
#pragma xmp align c[i][*][*] with t(i)
#pragma xmp align d[i][*] with t(i)
#pragma xmp shadow a[1][0]
static double sum(double *v, int n) {
#pragma xmp align v[i] with t(i)
  double s = 0;
#pragma xmp loop on t(i) reduction(+:s)
  for (int i = 0; i < n; i++) s += v[i];
  return s; }
int main(void)
{
  int n = 17, i, j;
#pragma xmp template_fix (block) t(0:n-1)
  a = xmp_malloc(xmp_desc_of(a), n, M);
  b = (double *)xmp_malloc(xmp_desc_of(b), n);
  c = xmp_malloc(xmp_desc_of(c), n, 2, 3);
  d = (rows)xmp_malloc(xmp_desc_of(d), n, M);
#pragma xmp loop on t(i)
  for (i = 0; i < n; i++) { b[i] = i; for (j = 0; j < M; j++) { a[i][j] = i * j; d[i][j] = -i * j; c[i][j / 3][j % 3] = i + j; } }
#pragma xmp reflect (a)
#pragma xmp loop on t(i)
  for (i = 1; i < n - 1; i++) for (j = 0; j < M; j++) { CHECK(a[i-1][j] + a[i+1][j] == 2 * i * j); CHECK(d[i][j] == -i * j); CHECK(c[i][1][2] == i + 5); }
  CHECK(sum(b, n) == n * (n - 1) / 2);
  double row[M];
#pragma xmp gmove
  row[:] = a[n-1][:];
  for (j = 0; j < M; j++) CHECK(row[j] == (n - 1) * j);
  xmp_free(xmp_desc_of(a)); xmp_free(xmp_desc_of(b));
  b = (double *)xmp_malloc(xmp_desc_of(b), n);
#pragma xmp loop on t(i)
  for (i = 0; i < n; i++) b[i] = 2;
  CHECK(sum(b, n) == 2 * n);
  return failures != 0;
}
