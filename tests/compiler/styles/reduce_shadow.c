/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#define N 24
#pragma xmp nodes p(*)
#pragma xmp template t(1:N)
#pragma xmp distribute t(block) onto p
long a[N]; long b[N];
#pragma xmp align a[i] with t(i+1)
#pragma xmp align b[i] with t(i+1)
#pragma xmp shadow a[2:1]
#pragma xmp shadow b[1]
int main(void) {
  int i; long r[N], q[N];
  for (i = 0; i < N; i++) r[i] = q[i] = 0;
  void *at; int lower, upper, me;
  /* scatter from a loop over own elements to the neighbours' */
#pragma xmp loop (i) on t(i+1) expand(2:1)
  for (i = 0; i < N; i++) a[i] = 0;
#pragma xmp loop (i) on t(i+1) expand(1)
  for (i = 0; i < N; i++) b[i] = 0;
#pragma xmp loop (i) on t(i+1)
  for (i = 2; i < N-1; i++) { a[i-2] += i; a[i-1] += 10 * i; a[i] += 100 * i; a[i+1] += 1000 * i; }
#pragma xmp reduce_shadow (a)
  for (i = 2; i < N-1; i++) { r[i-2] += i; r[i-1] += 10 * i; r[i] += 100 * i; r[i+1] += 1000 * i; }
#pragma xmp loop (i) on t(i+1)
  for (i = 0; i < N; i++) CHECK(a[i] == r[i]);
#pragma xmp loop (i) on t(i+1)
  for (i = 0; i < N; i++) { b[i-1] += i + 1; b[i+1] += 2 * i + 1; }
#pragma xmp reduce_shadow (b) width(/periodic/1)
  for (i = 0; i < N; i++) { q[(i+N-1)%N] += i + 1; q[(i+1)%N] += 2 * i + 1; }
#pragma xmp loop (i) on t(i+1)
  for (i = 0; i < N; i++) CHECK(b[i] == q[i]);
  (void)at; (void)lower; (void)upper; (void)me;
  return failures != 0; }
