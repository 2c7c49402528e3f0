/* SPDX-License-Identifier: Apache-2.0 */
/* FLAGS: -std=gnu89 */
#include "check.h"
#define N 15
int a[N], b[N], i, sum;
#pragma xmp nodes p(*)
#pragma xmp template t(1:N)
#pragma xmp distribute t(block) onto p
#pragma xmp align a[i] with t(i+1)
#pragma xmp align b[i] with t(i+1)
#pragma xmp shadow a[1:1]
init()
{
#pragma xmp loop (i) on t(i+1)
  for (i = 0; i < N; i++)
    a[i] = i;
}
main(argc, argv) int argc; char **argv;
{
  init();
  sum = 0;
#pragma xmp reflect (a)
#pragma xmp loop (i) on t(i+1) reduction(+:sum)
  for (i = 1; i < N-1; i++) {
    b[i] = a[i-1] + a[i+1];
    sum += b[i];
  }
  CHECK(sum == (N-1) * (N-2));
  if (xmp_node_num() == 1) printf("PASS\n");
  return failures;
}
