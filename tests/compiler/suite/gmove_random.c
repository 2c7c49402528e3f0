/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#pragma xmp template t(0:31,0:31)
#pragma xmp distribute t(*,block) onto p
#pragma xmp template tc(0:31,0:31)
#pragma xmp distribute tc(cyclic(3),*) onto p
int a[32][32], c[32][32]; char ch[32][32]; double d[32][32]; short sh[32][32]; float _Complex z[32][32];
#pragma xmp align a[i][j] with t(j,i)
#pragma xmp align c[i][j] with tc(j,i)
#pragma xmp align ch[i][j] with tc(i,j)
#pragma xmp align d[i][j] with tc(j,i)
#pragma xmp align sh[i][j] with t(i,j)
#pragma xmp align z[i][j] with t(i,j)
int l[32][32]; double ld[32][32]; char lc[32][32];
int main(void){
 int i,j,e=0,k;
 for(i=0;i<32;i++) for(j=0;j<32;j++) l[i][j]=(i*5+j*3)%101;
#pragma xmp gmove
 a[:][:]=l[:][:];
#pragma xmp gmove
 c[:][:]=a[:][:];
#pragma xmp gmove
 ch[:][:]=c[:][:];
#pragma xmp gmove
 d[:][:]=ch[:][:];
#pragma xmp gmove
 sh[:][:]=d[:][:];
#pragma xmp gmove
 z[:][:]=sh[:][:];
#pragma xmp gmove
 ld[:][:]=sh[:][:];
#pragma xmp gmove
 lc[:][:]=d[:][:];
 for(i=0;i<32;i++) for(j=0;j<32;j++) if(ld[i][j]!=l[i][j]||lc[i][j]!=l[i][j]) e=1;
#pragma xmp loop (i) on t(*,i)
 for(i=0;i<32;i++) for(j=0;j<32;j++) if(z[j][i]!=(j*5+i*3)%101) e=2;
 srand(1);
 for(k=0;k<60;k++){
  int h=1+rand()%10,w=1+rand()%10,s1=1+rand()%3,s2=1+rand()%3,r0=rand()%(32-(h-1)*s1),c0=rand()%(32-(w-1)*s2),r1=rand()%(33-h),c1=rand()%(33-w);
#pragma xmp gmove
  c[r1:h][c1:w]=a[r0:h:s1][c0:w:s2];
  int lh[10][10];
#pragma xmp gmove
  lh[0:h][0:w]=c[r1:h][c1:w];
  for(i=0;i<h;i++) for(j=0;j<w;j++) if(lh[i][j]!=l[r0+i*s1][c0+j*s2]) e=3;
#pragma xmp gmove
  sh[r0:h:s1][c0]=c[r1:h][c1];
#pragma xmp gmove
  i=sh[r0+(h-1)*s1][c0];
  if(i!=l[r0+(h-1)*s1][c0]) e=4;
 }
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
