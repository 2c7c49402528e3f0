/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 15
#define M 6
#pragma xmp nodes p(*)
#pragma xmp template t(0:M-1, 0:N-1)
#pragma xmp distribute t(*, block) onto p
double a[N][M]; float b[M][N]; char c[N][2][M];
#pragma xmp align a[i][j] with t(j, i)
#pragma xmp align b[j][i] with t(j, i)
#pragma xmp align c[i][*][j] with t(j, i)
#pragma xmp shadow a[1][1]
#pragma xmp shadow b[0][2:1]
#pragma xmp shadow c[1][0][0]
int main(void)
{
  int i, j;
#pragma xmp loop (j, i) on t(j, i)
  for (i = 0; i < N; i++) for (j = 0; j < M; j++) { a[i][j] = i + 100 * j; b[j][i] = i - j; c[i][1][j] = i * 2 + j; c[i][0][j] = 1; }
#pragma xmp reflect (a, b, c)
#pragma xmp reflect (b) width(0, /periodic/2:1)
#pragma xmp reflect (a) width(/periodic/1, 0)
#pragma xmp loop (i) on t(*, i)
  for (i = 0; i < N; i++) for (j = 0; j < M; j++) {
    CHECK(a[i-1][j] == (i + N - 1) % N + 100 * j); CHECK(a[i+1][j] == (i + 1) % N + 100 * j);
    CHECK(b[j][i-2] == (i + N - 2) % N - j); CHECK(b[j][i+1] == (i + 1) % N - j);
    if (i > 0) CHECK(c[i-1][1][j] == (i - 1) * 2 + j); }
  return failures != 0;
}
