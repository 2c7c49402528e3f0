/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 30
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N],b[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp shadow a[3]
#pragma xmp shadow b[3]
int main(void){
 int i,e=0,k;
#pragma xmp loop on t[i] expand(/unbound/2)
 for(i=0;i<N;i++) a[i]=i;
#pragma xmp loop on t[i]
 for(i=2;i<N-2;i++) if(a[i-2]!=i-2||a[i+2]!=i+2) e=1;
#pragma xmp loop on t[i]
 for(i=0;i<N;i++) { a[i]=i*3; b[i]=0; }
#pragma xmp reflect_init (a) width(2:3)
#pragma xmp reflect_do (a)
#pragma xmp loop on t[i]
 for(i=2;i<N-3;i++) if(a[i-2]!=3*(i-2)||a[i+3]!=3*(i+3)) e=2;
#pragma xmp loop (i) on t[i] margin(1)
 for(i=0;i<N;i++) b[i]++;
#pragma xmp loop (i) on t[i] expand(-1)
 for(i=0;i<N;i++) b[i]++;
#pragma xmp loop on t[i]
 for(i=1;i<N-1;i++) (void)b[i];
 for(k=0;k<3;k++){
#pragma xmp reflect (a) async(k)
#pragma xmp wait_async(k)
 }
#pragma xmp reflect (a,b) async(10)
#pragma xmp reduction(max:e) async(11)
#pragma xmp wait_async(10,11)
 if(!xmp_test_async(12)) e=3;
 if(e) printf("ERROR %d\n",e);
 return e;
}
