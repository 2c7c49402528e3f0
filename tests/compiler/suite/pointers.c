/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#pragma xmp template t(0:99)
#pragma xmp distribute t(block) onto p
int *a; float (*b)[100]; double (*c)[10][100];
struct s { int k; double d; } *st;
#pragma xmp template t2(0:99,0:9)
#pragma xmp distribute t2(block,*) onto p
#pragma xmp align a[i] with t(i)
#pragma xmp align b[*][i] with t(i)
#pragma xmp align c[*][j][i] with t2(i,j)
#pragma xmp align st[i] with t(i)
#pragma xmp shadow a[2]
int n=100;
int sum(int *x){
#pragma xmp align x[i] with t(i)
 int i,s=0;
#pragma xmp loop on t(i) reduction(+:s)
 for(i=0;i<100;i++) s+=x[i];
 return s; }
int localsum(int *x,int k){ int s=0; while(k-->0) s+=*x++; return s; }
int main(void){
 int i,j,k,e=0,ls; void *v;
 a=xmp_malloc(xmp_desc_of(a),n);
 b=(float(*)[100])xmp_malloc(xmp_desc_of(b),5,n);
 c=(double(*)[10][100])xmp_malloc(xmp_desc_of(c),3,10,100);
 st=(struct s*)xmp_malloc(xmp_desc_of(st),100);
#pragma xmp loop (i) on t(i)
 for(i=0;i<100;i++){ a[i]=i; for(j=0;j<5;j++) b[j][i]=j; for(k=0;k<3;k++) for(j=0;j<10;j++) c[k][j][i]=k*j*i; st[i].k=i; st[i].d=0.5*i; }
#pragma xmp reflect (a) width(2)
#pragma xmp loop (i) on t(i)
 for(i=2;i<98;i++) { if(a[i-2]+a[i+2]!=2*i) e=1; if(b[4][i]!=4) e=2; if(c[2][3][i]!=6*i) e=3; if(st[i].k!=2*st[i].d) e=4; struct s *q=&st[i]; q->k=0; }
 if(sum(a)!=4950) e=5;
 xmp_array_laddr(xmp_desc_of(a),&v);
 xmp_array_lsize(xmp_desc_of(a),1,&ls);
 int *lp=v; int s=localsum(lp+2,ls);
#pragma xmp reduction(+:s)
 if(s!=4950) { e=6; printf("%d\n",s); }
#pragma xmp gmove
 a[:]=a[99];
 xmp_free(xmp_desc_of(a));
 a=(int*)xmp_malloc(xmp_desc_of(a),n);
#pragma xmp loop (i) on t(i)
 for(i=0;i<n;i++) a[i]=1;
 if(sum(a)!=100) e=7;
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
