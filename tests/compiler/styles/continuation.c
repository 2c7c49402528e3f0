/* SPDX-License-Identifier: Apache-2.0 */
/* line continuation, comments within directives, macros, conditionals around directives */
#include "check.h"
#define N 20
#define DIST block
#define TEMPL t
#define ON(x) TEMPL[x]
#pragma xmp nodes /* the nodes */ p[ * ] // all of them
#pragma xmp \
    template t[ N /* elements */ ]
#if defined(_XCALABLEMP)
#  pragma xmp distribute t[DIST] \
      onto p
#endif
#ifdef NEVER
#pragma xmp this is not a directive
#endif
float a[N],   /* first */
      b[N];   // second
#	pragma	xmp	align	[i]	with	t[i]	::	a	,	b
#pragma xmp shadow \
   [1:\
1] :: a , b
int main(void) {
  int i;
#pragma xmp loop /* over */ (i) on \
  ON(i) // here
  for (i = 0; i < N; i++) {
    a[i] = i;
    b[i] = 0;
  }
#pragma xmp reflect(a) /* every */ width( 1 : \
  1 )
#if 1
#pragma xmp loop (i) on t[i]
#else
#pragma xmp loop (j) on t[j]
#endif
  for (i = 1; i < N-1; i++) b[i] = (a[i-1] + a[i+1]) / 2;
  float s = 0;
_Pragma("xmp loop (i) on t[i] reduction(+:s)")
  for (i = 0; i < N; i++) s += b[i];
  CHECK(s == (N-1)*(N-2)/2);
  return failures;
}
