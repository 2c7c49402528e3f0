/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#pragma xmp template t(0:15)
#pragma xmp distribute t(block) onto p
int a[16];
#pragma xmp align a[i] with t(i)
#pragma xmp shadow a[*]
int b[16][3];
#pragma xmp align b[i][*] with t(i)
#pragma xmp shadow b[*][0]
struct St { int q[16]; double w[16][2]; int plain; } S;
#pragma xmp align S.q[i] with t(i)
#pragma xmp align S.w[i][*] with t(i)
#pragma xmp shadow S.q[1]
int main(void){
 int i,j,e=0,s=0;
#pragma xmp loop on t(i)
 for(i=0;i<16;i++) { a[i]=i*i; for(j=0;j<3;j++) b[i][j]=i+j; S.q[i]=i; S.w[i][1]=i; }
 S.plain=3;
#pragma xmp reflect(a,b)
 for(i=0;i<16;i++) { if(a[i]!=i*i) e=1; if(b[i][2]!=i+2) e=2; }
#pragma xmp reflect(S.q)
#pragma xmp loop on t(i) reduction(+:s)
 for(i=1;i<15;i++) s+=S.q[i-1]+S.q[i+1]+(int)S.w[i][1]*S.plain;
 int ans=0; for(i=1;i<15;i++) ans+=5*i;
 if(s!=ans) e=3;
 int k=7; int x=a[k], y=a[15-k]; if(x!=49||y!=64) e=4;
#pragma xmp gmove
 a[0:8]=a[8:8];
#pragma xmp reflect(a)
 for(i=0;i<8;i++) if(a[i]!=a[i+8]) e=5;
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
