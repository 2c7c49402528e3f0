/* SPDX-License-Identifier: Apache-2.0 */
/* transformational functions in several types and mappings */
#include "check.h"
#define M 7
#define K 5
#define N 9
#pragma xmp nodes p[*]
#pragma xmp template tm[M]
#pragma xmp template tk[K]
#pragma xmp template tn[N]
#pragma xmp distribute tm[block] onto p
#pragma xmp distribute tk[cyclic] onto p
#pragma xmp distribute tn[cyclic(2)] onto p
double x[M][N], a[M][K], b[K][N], xt[N][M];
float fx[M][N], fa[M][K], fb[K][N];
long lx[N][M], la[M][N];
#pragma xmp align x[i][*] with tm[i]
#pragma xmp align a[i][*] with tm[i]
#pragma xmp align b[*][j] with tn[j]
#pragma xmp align xt[i][*] with tn[i]
#pragma xmp align fx[*][j] with tn[j]
#pragma xmp align fa[*][j] with tk[j]
#pragma xmp align fb[i][*] with tk[i]
#pragma xmp align lx[*][j] with tm[j]
#pragma xmp align la[*][j] with tn[j]
int main(void)
{
  int i, j, k;
#pragma xmp loop on tm[i]
  for (i = 0; i < M; i++) for (k = 0; k < K; k++) a[i][k] = i - 2 * k;
#pragma xmp loop (j) on tn[j]
  for (j = 0; j < N; j++) for (k = 0; k < K; k++) b[k][j] = k * j + 1;
  xmp_matmul(xmp_desc_of(x), xmp_desc_of(a), xmp_desc_of(b));
#pragma xmp loop on tm[i]
  for (i = 0; i < M; i++) for (j = 0; j < N; j++) { double r = 0; for (k = 0; k < K; k++) r += (i - 2 * k) * (k * j + 1); CHECK(x[i][j] == r); }
  xmp_transpose(xt[:][:], x[:][:], 1);
#pragma xmp loop on tn[j]
  for (j = 0; j < N; j++) for (i = 0; i < M; i++) { double r = 0; for (k = 0; k < K; k++) r += (i - 2 * k) * (k * j + 1); CHECK(xt[j][i] == r); }
#pragma xmp loop (k) on tk[k]
  for (k = 0; k < K; k++) { for (i = 0; i < M; i++) fa[i][k] = i + k; for (j = 0; j < N; j++) fb[k][j] = k - j; }
  xmp_matmul(xmp_desc_of(fx), xmp_desc_of(fa), xmp_desc_of(fb));
#pragma xmp loop (j) on tn[j]
  for (j = 0; j < N; j++) for (i = 0; i < M; i++) { float r = 0; for (k = 0; k < K; k++) r += (i + k) * (k - j); CHECK(fx[i][j] == r); }
#pragma xmp loop (j) on tn[j]
  for (i = 0; i < M; i++) for (j = 0; j < N; j++) la[i][j] = 100L * i + j;
  xmp_transpose(xmp_desc_of(lx), xmp_desc_of(la), 0);
#pragma xmp loop (i) on tm[i]
  for (j = 0; j < N; j++) for (i = 0; i < M; i++) CHECK(lx[j][i] == 100L * i + j);
  return failures != 0;
}
