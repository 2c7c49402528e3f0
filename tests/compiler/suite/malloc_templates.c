/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 1 2 3 4 6 8 */
#include <stdio.h>
#include <stdlib.h>
#include "xmp.h"
#pragma xmp nodes p(*)
#define N 1000
int *m;
#pragma xmp template t(:)
#pragma xmp template t2(:,:)
#pragma xmp distribute t(gblock(*)) onto p
#pragma xmp distribute t2(*,block) onto p
float *a; double (*b)[20]; int (*c)[8];
#pragma xmp align a[i] with t(i)
#pragma xmp align b[i][j] with t2(j,i)
#pragma xmp align c[i][*] with t(i)
#pragma xmp shadow a[1:1]
#pragma xmp shadow b[2][0]
int main(){
  int i,j,n=xmp_num_nodes(), rest=N; float s=0;
  m = malloc(sizeof(int)*n);
  for(i=0;i<n-1;i++){ m[i]=rest/2; rest-=m[i]; } m[n-1]=rest;
#pragma xmp template_fix(gblock(m)) t(0:N-1)
#pragma xmp template_fix t2(0:19,0:N-1)
  a=(float*)xmp_malloc(xmp_desc_of(a),N);
  b=(double(*)[20])xmp_malloc(xmp_desc_of(b),N,20);
  c=(int(*)[8])xmp_malloc(xmp_desc_of(c),N,8);
#pragma xmp loop (i) on t(i)
  for(i=0;i<N;i++){ a[i]=i%10; for(j=0;j<8;j++) c[i][j]=i+j; }
#pragma xmp loop (i,j) on t2(j,i)
  for(i=0;i<N;i++) for(j=0;j<20;j++) b[i][j]=i*20+j;
#pragma xmp reflect(a,b)
#pragma xmp loop (i) on t(i) reduction(+:s)
  for(i=1;i<N-1;i++) s+=a[i-1]+a[i+1];
  float ans=0; for(i=1;i<N-1;i++) ans+=(i-1)%10+(i+1)%10;
  if(s!=ans){ printf("ERROR %f %f\n",s,ans); exit(1);}
  int err=0;
#pragma xmp loop (i) on t2(*,i) reduction(+:err)
  for(i=2;i<N-2;i++) for(j=0;j<20;j++) if(b[i-2][j]+b[i+2][j]!=2*(i*20+j)) err++;
  if(err){ printf("ERROR b\n"); exit(1); }
  int x;
#pragma xmp gmove
  x=c[N-1][7];
  if(x!=N+6){ printf("ERROR c\n"); exit(1);}
  xmp_free(xmp_desc_of(a)); xmp_free(xmp_desc_of(b)); xmp_free(xmp_desc_of(c));
  free(m);
  return 0;
}
