/* SPDX-License-Identifier: Apache-2.0 */
/* gmove corner shapes: different ranks, 1-element, whole scalars, strides negative, conversion, in/out to 2-D */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#pragma xmp template t(0:11,0:9)
#pragma xmp distribute t(block,*) onto p
#pragma xmp template s(0:11)
#pragma xmp distribute s(cyclic) onto p
#pragma xmp template h(0:11)
int hw[16];
#pragma xmp distribute h(block) onto p
double a[10][12]; float b[12]; int c[12][3][2]; char ch[12]; double _Complex z[12]; long scal;
#pragma xmp align a[i][j] with t(j,i)
#pragma xmp align b[i] with s(i)
#pragma xmp align c[i][*][*] with h(i)
#pragma xmp align ch[i] with h(i)
#pragma xmp align z[i] with s(i)
int main(void){
 int i,j,k,e=0; double l[10][12]; int lc[12][3][2]; double _Complex lz[12]; char lch[12];
#pragma xmp loop on t(j,*)
 for(j=0;j<12;j++) for(i=0;i<10;i++) a[i][j]=i*12+j;
#pragma xmp loop on h(i)
 for(i=0;i<12;i++) { for(j=0;j<3;j++) for(k=0;k<2;k++) c[i][j][k]=i*6+j*2+k; ch[i]='a'+i; }
#pragma xmp gmove
 b[:]=a[4][:];
#pragma xmp gmove
 a[5][11:12:-1]=b[0:12];
#pragma xmp gmove
 c[:][1][0]=a[9][:];
#pragma xmp gmove
 c[0:3][:][1]=a[0:3][3:3];
#pragma xmp gmove
 scal=a[2][3];
 if(scal!=27) e=1;
#pragma xmp gmove
 z[:]=b[:];
#pragma xmp gmove
 lz[:]=z[:];
#pragma xmp gmove
 l[:][:]=a[:][:];
#pragma xmp gmove
 lc[:][:][:]=c[:][:][:];
#pragma xmp gmove
 lch[:]=ch[:];
 for(i=0;i<12;i++) { if(lz[i]!=48+i) e=2; if(lch[i]!='a'+i) e=3; if(l[5][i]!=48+11-i) e=4; if(lc[i][1][0]!=9*12+i) e=5; }
 for(i=0;i<3;i++) for(j=0;j<3;j++) if(lc[i][j][1]!=i*12+3+j) e=6;
#pragma xmp gmove
 ch[3]=lch[9];
#pragma xmp gmove
 ch[4:3]='x';
#pragma xmp gmove
 lch[0:12]=ch[0:12];
 if(lch[3]!='j'||lch[5]!='x'||lch[7]!='h') e=7;
#pragma xmp gmove
 a[0:10][0]=a[0:10][11];
#pragma xmp gmove
 a[0][0:12]=a[1][0:12];
#pragma xmp gmove
 l[0:2][:]=a[0:2][:];
 for(i=0;i<12;i++) if(l[0][i]!=l[1][i]) e=8;
 if(l[0][0]!=23) e=9;
 k=3;
#pragma xmp gmove
 b[k]=a[k+1][k*2];
#pragma xmp gmove
 b[k+1:k]=a[k][2:k];
#pragma xmp gmove
 l[0][0:12]=b[:];
 if(l[0][3]!=54||l[0][4]!=38||l[0][6]!=40) e=10;
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
