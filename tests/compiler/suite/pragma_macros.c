/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define TN 1000
/* _Pragma in macros, conditional pragmas, directives through macros */
#define DIST(T,K) _Pragma("xmp nodes pp(*)")
#define LOOP _Pragma("xmp loop on t(i)")
#define NODES p
#define FMT block
#define LO 0
#define HI (TN-1)
#pragma xmp nodes NODES(*)
#pragma xmp template t(LO:HI)
#ifdef USE_CYCLIC
#pragma xmp distribute t(cyclic) onto p
#else
#pragma xmp distribute t(FMT) onto NODES
#endif
#define ARR aa
int ARR[TN], bb[TN];
#pragma xmp align ARR[i] with t(i)
#pragma xmp align bb[i] with t(i)
#if 1
#pragma xmp shadow ARR[1]
#endif
#define FOR(i,n) for (i = 0; i < (n); i++)
#define AT(i) ARR[(i)]
#define SWAP(a,b) do { int t_ = (a); (a) = (b); (b) = t_; } while (0)
#define SQ(x) ((x)*(x))
#define ID p(1)
int main(void){
 int i,s=0;
 LOOP
 FOR(i,TN) AT(i) = SQ(i%10);
 LOOP
 FOR(i,TN) { bb[i]=1; SWAP(ARR[i],bb[i]); }
#pragma xmp loop on t(i) reduction(+:s)
 FOR(i,TN) s+=ARR[i]*bb[i];
 if(s!=100*285) { printf("ERROR %d\n",s); return 1; }
#pragma xmp bcast(s) from ID on NODES(:)
#pragma xmp task on ID
 s=0;
#pragma xmp barrier on NODES
 return 0;
}
