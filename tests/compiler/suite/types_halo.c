/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 1 2 3 4 6 8 16 */
#include <stdio.h>
#include <stdlib.h>
#include "xmp.h"
#pragma xmp nodes p(*)
#pragma xmp template t(0:999)
#pragma xmp distribute t(block) onto p
char a0[1000]; short a1[1000]; int a2[1000]; long a3[1000]; long long a4[1000]; float a5[1000]; double a6[1000]; unsigned char a7[1000];
unsigned short a8[1000]; unsigned a9[1000]; unsigned long b0[1000]; unsigned long long b1[1000]; long double b2[1000]; float _Complex b3[1000]; double _Complex b4[1000];
#pragma xmp align (i) with t(i) :: a0, a1, a2, a3, a4, a5, a6, a7
#pragma xmp align a8(i) with t(i)
#pragma xmp align [i] with t[i] :: a9, b0, b1, b2, b3, b4
#pragma xmp shadow (1) :: a0, a1, a2, a3, a4, a5, a6, a7, a8
#pragma xmp shadow [1:2] :: a9, b0, b1, b2, b3, b4
int main(){
  int i, result = 0;
#define SET(x) x[i] = (i*7)%100
#pragma xmp loop (i) on t(i)
  for(i=0;i<1000;i++){ SET(a0); SET(a1); SET(a2); SET(a3); SET(a4); SET(a5); SET(a6); SET(a7); SET(a8); SET(a9); SET(b0); SET(b1); SET(b2); SET(b3); b4[i] = (i*7)%100 + 1.0i*i; }
#pragma xmp reflect (a0,a1,a2,a3,a4,a5,a6,a7,a8)
#pragma xmp reflect (a9,b0,b1,b2,b3,b4) width(1:2)
#define GET(x) if(x[i-1] != ((i-1)*7)%100 || x[i+1] != ((i+1)*7)%100) result = -1
#pragma xmp loop (i) on t(i)
  for(i=1;i<998;i++){ GET(a0); GET(a1); GET(a2); GET(a3); GET(a4); GET(a5); GET(a6); GET(a7); GET(a8); GET(a9); GET(b0); GET(b1); GET(b2); GET(b3);
    if(b4[i+2] != ((i+2)*7)%100 + 1.0i*(i+2)) result = -1; if(b2[i+2] != ((i+2)*7)%100) result = -1; }
#pragma xmp reduction(+:result)
#pragma xmp task on p(1)
  {
    if(result == 0) printf("PASS\n"); else { fprintf(stderr,"ERROR\n"); exit(1); }
  }
  return 0;
}
