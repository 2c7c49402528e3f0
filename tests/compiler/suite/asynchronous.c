/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 1 2 3 4 6 8 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* async everything, tags as expressions, in loops */
#pragma xmp nodes p(*)
#pragma xmp template t(0:63)
#pragma xmp distribute t(block) onto p
double a[64],b[64],c[64]; int x[3];
#pragma xmp align [i] with t(i) :: a, b, c
#pragma xmp shadow [1] :: a, b
int main(void){
 int i,k,e=0,s;
 for(k=0;k<10;k++){
#pragma xmp loop on t(i)
  for(i=0;i<64;i++) { a[i]=k+i; b[i]=k-i; }
  s=xmp_node_num(); x[1]=k*xmp_node_num();
#pragma xmp reflect (a) async(k*4)
#pragma xmp reflect (b) width(/periodic/1) async(k*4+1)
#pragma xmp reduction(+:s) async(k*4+2)
#pragma xmp bcast(x) from p(1) async(k*4+3)
#pragma xmp wait_async(k*4,k*4+1)
#pragma xmp loop on t(i)
  for(i=1;i<63;i++) c[i]=a[i-1]+b[i+1];
#pragma xmp wait_async(k*4+2)
#pragma xmp wait_async(k*4+3) on p
  if(s!=xmp_num_nodes()*(xmp_num_nodes()+1)/2||x[1]!=k) e=1;
#pragma xmp loop on t(i)
  for(i=1;i<63;i++) if(c[i]!=2*k-2) e=2;
#pragma xmp gmove async(77)
  c[0:64]=a[:];
#pragma xmp wait_async(77)
#pragma xmp loop on t(i)
  for(i=0;i<64;i++) if(c[i]!=k+i) e=3;
#pragma xmp reflect (a) async(1)
#pragma xmp loop on t(i) peel_and_wait(1,-1)
  for(i=1;i<63;i++) c[i]=a[i-1]+a[i+1];
#pragma xmp loop on t(i)
  for(i=1;i<63;i++) if(c[i]!=2*(k+i)) e=4;
 }
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
