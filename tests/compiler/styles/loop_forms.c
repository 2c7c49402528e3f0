/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 12
#define M 9
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[cyclic][*] onto p
int a[N][M], lo[N];
#pragma xmp align a[i][j] with t[i][j]
int main(void) {
  int i, j, s = 0, r = 0, k;
  for (i = 0; i < N; i++) lo[i] = i % 3;
  /* triangular, bounds by arrays, loops between */
#pragma xmp loop (i, j) on t[i][j] reduction(+:s)
  for (i = 0; i < N; i++) for (j = i < M ? i : M; j < M; j++) { a[i][j] = i * j; s += a[i][j] + 1; }
  for (i = 0; i < N; i++) for (j = i < M ? i : M; j < M; j++) r += i * j + 1;
  CHECK(s == r); s = r = 0;
#pragma xmp loop (i) on t[i][*] reduction(+:s)
  for (i = N - 1; i >= 0; i--)
    for (k = 0; k < 2; k++)
      for (j = lo[i]; j < M; j += 2) s += i + j + k;
  for (i = N - 1; i >= 0; i--) for (k = 0; k < 2; k++) for (j = lo[i]; j < M; j += 2) r += i + j + k;
  CHECK(s == r); s = r = 0;
#pragma xmp loop (j, i) on t[i][j] reduction(+:s)
  for (j = 0; j < M; j++)
    for (i = j; i < N; i += 2) { if (i == 4) continue; s += i * 10 + j; }
  for (j = 0; j < M; j++) for (i = j; i < N; i += 2) { if (i == 4) continue; r += i * 10 + j; }
  CHECK(s == r); s = r = 0;
#pragma xmp loop (i) on t[i][0] reduction(+:s)
  for (i = 1; i < N; i = 3 + i) s += i;
  CHECK(s == 22);
  return failures != 0; }
