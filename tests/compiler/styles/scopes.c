/* SPDX-License-Identifier: Apache-2.0 */
/* templates and nodes of inner blocks hide those outside */
#include "check.h"
#pragma xmp nodes p[*]
#pragma xmp template t[10]
#pragma xmp distribute t[block] onto p
int a[10];
#pragma xmp align a[i] with t[i]
int main(void)
{
  int s = 0;
  {
#pragma xmp template t[4]
#pragma xmp distribute t[cyclic] onto p
    int a[4];
#pragma xmp align a[i] with t[i]
#pragma xmp loop on t[i]
    for (int i = 0; i < 4; i++) a[i] = 100;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = 0; i < 4; i++) s += a[i];
    CHECK(s == 400);
    {
#pragma xmp nodes q[1] = p[0:1]
#pragma xmp template t[3]
#pragma xmp distribute t[block] onto q
      int b[3];
#pragma xmp align b[i] with t[i]
#pragma xmp task on q
      {
#pragma xmp loop on t[i]
        for (int i = 0; i < 3; i++) { b[i] = i; CHECK(xmp_num_nodes() == 1); }
      }
    }
  }
  s = 0;
#pragma xmp loop on t[i]
  for (int i = 0; i < 10; i++) a[i] = i;
#pragma xmp loop on t[i] reduction(+:s)
  for (int i = 0; i < 10; i++) s += a[i];
  CHECK(s == 45);
  int t = 5, p = 6; struct nodes { int template; } n = {7};
  CHECK(t + p + n.template == 18);
  for (int a = 0; a < 2; a++) s += a;
  CHECK(s == 46);
  return failures != 0;
}
