/* SPDX-License-Identifier: Apache-2.0 */
/* align in the middle of functions, blocks after statements, arrays declared with others */
#include "check.h"
#pragma xmp nodes p(*)
int main(void) {
  int n = 11, i, s = 0, q[4] = {1, 2, 3, 4};
  n += q[0];
#pragma xmp template t(0:n-1)
  n -= 0;
#pragma xmp distribute t(block) onto p
  int a[n], *ptr = q, b[12], k = 3;
#pragma xmp align a[i] with t(i)
  k++;
#pragma xmp align b[i] with t(i)
#pragma xmp shadow b[1]
#pragma xmp loop on t(i)
  for (i = 0; i < n; i++) { a[i] = i * k; b[i] = *ptr; }
#pragma xmp reflect (b)
#pragma xmp loop on t(i) reduction(+:s)
  for (i = 1; i < n; i++) s += a[i] + b[i-1];
  CHECK(s == 4 * 66 + 11);
  for (k = 1; k < 4; k++) {
    int m = 5 * k;
#pragma xmp template u(1:m)
#pragma xmp distribute u(cyclic(k)) onto p
    float c[m][2];
#pragma xmp align c[i][*] with u(i+1)
#pragma xmp loop (i) on u(i+1)
    for (i = 0; i < m; i++) c[i][1] = i, c[i][0] = -i;
    float f = 0;
#pragma xmp loop (i) on u(i+1) reduction(+:f)
    for (i = 0; i < m; i++) f += c[i][1] - c[i][0];
    CHECK(f == m * (m - 1));
  }
  return failures != 0; }
