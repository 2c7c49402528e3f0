/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 16
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N], f[N][3];
#pragma xmp align a[i] with t[i]
#pragma xmp align f[i][*] with t[i]
#pragma xmp shadow a[*]
int main(void) {
  int i;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { a[i] = i; f[i][0] = f[i][1] = f[i][2] = i; }
#pragma xmp reflect (a)
#pragma xmp bcast (a[3], a[5:4]) from t[3]
  CHECK(a[3] == 3 && a[8] == 8);
#pragma xmp reduction(+:a[7])
  CHECK(a[7] == 7 * xmp_num_nodes());
#pragma xmp task on t[9]
  {
#pragma xmp bcast (f[9])
#pragma xmp reduction(max:f[9][:])
#pragma xmp reduction(+:f[9][1:2], f[9][0])
    CHECK(f[9][2] == 9 && f[9][0] == 9);
  }
#pragma xmp reduction(+:f[2][:]) on t[2]
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) CHECK(f[i][1] == i);
  return failures != 0; }
