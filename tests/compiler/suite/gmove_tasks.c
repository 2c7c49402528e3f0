/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#define n 20
int main(void){
  int np=xmp_num_nodes(), half=np>1?np/2:1;
#pragma xmp nodes q(half)=p(1:half)
#pragma xmp template t(0:n-1)
#pragma xmp distribute t(block) onto p
#pragma xmp template u(0:n-1)
#pragma xmp distribute u(cyclic) onto q
  int a[n], b[n], c[n], g[n], i;
#pragma xmp align a[i] with t(i)
#pragma xmp align b[i] with u(i)
  for(i=0;i<n;i++) { c[i]=100+i; g[i]=0; }
#pragma xmp loop on t(i)
  for(i=0;i<n;i++) a[i]=i;
#pragma xmp gmove
  b[:]=a[:];
#pragma xmp task on q
  {
#pragma xmp loop on u(i)
   for(i=0;i<n;i++) { if(b[i]!=i) { printf("ERROR\n"); exit(1);} b[i]+=5; }
   int s=0;
#pragma xmp loop on u(i) reduction(+:s)
   for(i=0;i<n;i++) s+=b[i];
   if(s!=190+100) { printf("ERROR s\n"); exit(1); }
#pragma xmp gmove
   g[0:n]=b[0:n];
   if(g[3]!=8) { printf("ERROR g\n"); exit(1); }
#pragma xmp gmove in
   b[0:5]=a[10:5];
  }
#pragma xmp barrier
#pragma xmp gmove
  c[:]=b[:];
  for(i=0;i<n;i++) if(c[i]!=(i<5?i+10:i+5)) { printf("ERROR c %d %d\n",i,c[i]); exit(1); }
#pragma xmp barrier
#pragma xmp task on p(np)
  {
    int x[4]={7,8,9,10};
#pragma xmp gmove out
    a[2:4]=x[0:4];
  }
#pragma xmp barrier
#pragma xmp gmove
  c[:]=a[:];
  for(i=0;i<n;i++) if(c[i]!=(i>=2&&i<6?i+5:i)) { printf("ERROR d %d %d\n",i,c[i]); exit(1); }
  return 0;
}
