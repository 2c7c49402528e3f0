/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
/* usage of distributed arrays' names */
#pragma xmp nodes p(*)
#pragma xmp template t(0:39)
#pragma xmp distribute t(block) onto p
int a[40], m[40][3]; double d[4][40]; const int K=3;
#pragma xmp align a[i] with t(i)
#pragma xmp align m[i][*] with t(i)
#pragma xmp align d[*][i] with t(i)
static int g(const int *row){ return row[0]+row[1]+row[2]; }
static void put(int (*r)[3], int v){ (*r)[1]=v; }
static int local(int *v, int n){ int s=0; for(int i=0;i<n;i++) s+=v[i]; return s; }
int main(void){
 int i,j,e=0,s=0;
 if(sizeof(a)!=160||sizeof a[0]!=4||sizeof(m)/sizeof(m[0])!=40||sizeof d/sizeof*d!=4) e=1;
#pragma xmp loop on t(i)
 for(i=0;i<(int)(sizeof(a)/sizeof(a[0]));i++) {
  int *q=&a[i], (*r)[3]=&m[i], *z=m[i];
  *q=i; (*r)[0]=i; z[1]=2*i; m[i][2]=0; put(&m[i],3*i); i[a]+=1; (a+i)[0]-=1; *(a+i)+=K-3;
  memset(z+2,0,sizeof(int)); memcpy(&m[i][2],q,sizeof *q);
  for(j=0;j<4;j++) d[j][i]=(j?i:-i), *(d[j]+i)+=0.5;
  s+=g(m[i])==5*i?0:1;
  (a[i]%2?a:a)[i]+=0;
  a[i]=a[i]>3?a[i]:(a[i],a[i]+0);
  switch(a[i]%3){ case 0: s+=0; break; default: ; }
  typeof(a[i]) w=a[i]; struct { int v; } lit={ a[i] }; int arr[]={a[i],[2]=m[i][0]}; s+=(w!=lit.v)+(arr[2]!=i)+((int[]){a[i]}[0]!=i);
  if(!(a[i]==i && m[i][1]==3*i)) s++;
 }
#pragma xmp loop on t(i)
 for(i=0;i<40;i++) { if(d[0][i]!=-i+.5||d[3][i]!=i+.5) s++; }
 if(s) e=2;
 int ls; xmp_array_lsize(xmp_desc_of(a),1,&ls);
 s=local(a,ls);
#pragma xmp reduction(+:s)
 if(s!=780) e=3;
 {
  int a=5, t=3; a+=t; if(a!=8) e=4;
  extern double d[4][40]; (void)sizeof d;
 }
#pragma xmp task on t(17)
 { if(a[17]!=17) e=5; int *pp=a+17; if(pp[0]!=17) e=6; printf("a[17]=%d %s\n",a[17],"a[17]"); }
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
