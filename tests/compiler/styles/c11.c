/* SPDX-License-Identifier: Apache-2.0 */
/* FLAGS: -std=c11 */
#include "check.h"
#include <stdalign.h>
#include <stdnoreturn.h>
#include <math.h>
#include <string.h>
#include <assert.h>
_Static_assert(sizeof(int) == 4, "int");
#define N 21
#define sq(x) _Generic((x), float: sqf, default: sqd)(x)
static float sqf(float x) { return x * x; }
static double sqd(double x) { return x * x; }
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic(2)] onto p
static float a[N]; static double b[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
noreturn static void die(const char *m) { fprintf(stderr, "%s\n", m); exit(3); }
int main(void)
{
#pragma xmp loop on t[i]
  for (int i = 0; i < N; ++i) { a[i] = i; b[i] = i / 2.0; assert(a[i] == i); }
  double s = 0; float f = 0;
#pragma xmp loop on t[i] reduction(+: s, f)
  for (int i = 0; i < N; ++i) { s += sq(b[i]); f += sq(a[i]); }
  double r = 0; float q = 0;
  for (int i = 0; i < N; ++i) { r += i * i / 4.0; q += i * i; }
  CHECK(s == r); CHECK(f == q);
  struct { double v; int at; } best = {.v = -1, .at = -1};
#pragma xmp loop on t[i] reduction(max: best.v)
  for (int i = 0; i < N; ++i) if (b[i] > best.v) best = (__typeof__(best)){b[i], i};
  CHECK(best.v == (N - 1) / 2.0);
  if (s < 0) die("negative");
  return failures != 0;
}
