/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
int N = 19;
#pragma xmp nodes p[*]
#pragma xmp template t(:)
#pragma xmp distribute t(gblock(*)) onto p
double *x;
#pragma xmp align x[i] with t(i)
int main(int argc, char **argv)
{
  int n = xmp_num_nodes(), i, *w = malloc(sizeof(int) * n), rest = N;
  for (i = 0; i < n; i++) { w[i] = i == n - 1 ? rest : (i % 2 ? 0 : rest / 2); rest -= w[i]; }
#pragma xmp template_fix(gblock(w)) t(0:N-1)
  x = (double *)xmp_malloc(xmp_desc_of(x), N);
  double sum = 0;
#pragma xmp loop (i) on t(i)
  for (i = 0; i < N; i++) x[i] = 1.5 * i;
#pragma xmp loop (i) on t(i) reduction(+:sum)
  for (i = 0; i < N; i++) sum += x[i];
  CHECK(sum == 1.5 * N * (N - 1) / 2);
  int map[16], fixed, f, nd;
  CHECK(xmp_template_fixed(xmp_desc_of(t), &fixed) == 0 && fixed);
  CHECK(xmp_dist_format(xmp_desc_of(t), 1, &f) == 0 && f == XMP_GBLOCK);
  CHECK(xmp_dist_gblockmap(xmp_desc_of(t), 1, map) == 0);
  for (i = 0; i < n; i++) CHECK(map[i] == w[i]);
  CHECK(xmp_template_ndims(xmp_desc_of(t), &nd) == 0 && nd == 1);
  double y[64];
#pragma xmp gmove
  y[0:N] = x[0:N];
  for (i = 0; i < N; i++) CHECK(y[i] == 1.5 * i);
  xmp_free(xmp_desc_of(x));
  free(w);
  return failures != 0;
}
