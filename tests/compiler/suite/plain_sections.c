/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* section assignments on plain arrays, all kinds */
typedef struct { int a[4]; float f; } T;
int g2[6][8]; double dv[20]; T ts[5]; char s1[32]="hello, world"; int (*pr)[8]; int *pp;
int f(int i){ return i*2; }
int main(void){
 int i,j,e=0,n=5,v[n][n],u[10];
 g2[:][:]=1; g2[2][:]=7; g2[:][3]+=10; g2[1:3][2:4]=g2[0:3][0:4]+g2[1:3][4:4];
 u[:]=0; u[0:5]=u[0:5]+2; u[0:5:2]=9; u[9:3:-1]=u[0:3];
 if(u[9]!=9||u[8]!=2||u[7]!=9||u[6]!=9||u[1]!=2||u[5]!=0) e=1;
 dv[0:20]=0.5; dv[1:19]=dv[0:19]*2; if(dv[1]!=1.0||dv[19]!=1.0||dv[0]!=.5) e=2;
 dv[:]=dv[19]-1; if(dv[7]!=0) e=3;
 ts[:].a[1]=4; ts[2].a[:]=ts[1].a[1]; ts[0:2].f=1.5f;
 if(ts[4].a[1]!=4||ts[2].a[3]!=4||ts[1].f!=1.5f||ts[2].f!=0) e=4;
 v[:][:]=3; v[1][:]=v[:][1]+f(n); if(v[1][4]!=13||v[2][0]!=3) e=5;
 pr=g2; pp=&g2[0][0];
 pr[0:2][0:8]=pp[3]; pp[4:4]=pr[2][0:4];
 if(g2[0][0]!=11) e=6;
 s1[0:5]=s1[7:5]; if(s1[0]!='w'||s1[4]!='d') e=7;
 u[0:10]=u[9:10:-1]; if(u[0]!=9||u[2]!=9||u[9]!=9||u[1]!=2) e=8;
 for(i=0;i<3;i++) { u[i:3]=i; } if(u[0]!=0||u[1]!=1||u[4]!=2) e=9;
 u[0:n]=(n>3)?v[0][0:n]:v[1][0:n]; if(u[4]!=3) e=10;
 u[0:n]|=8; if(u[0]!=11) e=11;
 u[0:n]=-u[0:n]; u[0:n]=u[0:n]<0; if(u[3]!=1) e=12;
 (void)j;
 if(e) printf("ERROR %d\n",e);
 return e;
}
