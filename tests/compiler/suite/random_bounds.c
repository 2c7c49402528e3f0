/* SPDX-License-Identifier: Apache-2.0 */
/* spec's chapter on work mapping: triangles, steps, boundaries, block sizes loop 'random' */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#define N 37
#pragma xmp template tb(0:N-1,0:N-1)
#pragma xmp template tc(N,N)
#pragma xmp template tk(0:N-1)
#pragma xmp distribute tb(block,*) onto p
#pragma xmp distribute tc(*,cyclic) onto p
#pragma xmp distribute tk(cyclic(4)) onto p
int a[N][N],b[N][N],c[N];
#pragma xmp align a[j][i] with tb(i,j)
#pragma xmp align b[j][i] with tc(i+1,j+1)
#pragma xmp align c[i] with tk(i)
int main(void){
 int i,j,e=0,s,r,k;
#pragma xmp loop (j,i) on tb(i,j)
 for(j=0;j<N;j++) for(i=0;i<N;i++) a[j][i]=0;
#pragma xmp loop (j,i) on tc(i+1,j+1)
 for(j=0;j<N;j++) for(i=0;i<N;i++) b[j][i]=0;
#pragma xmp loop on tk(i)
 for(i=0;i<N;i++) c[i]=0;
 srand(3);
 for(k=0;k<30;k++){
  int lo=rand()%N, hi=rand()%N, st=1+rand()%5, ref=0;
  s=0;
#pragma xmp loop (i) on tb(i,*) reduction(+:s)
  for(i=lo;i<=hi;i+=st) s+=i+1;
  for(i=lo;i<=hi;i+=st) ref+=i+1;
  if(s!=ref) { e=1; }
  s=0; ref=0;
#pragma xmp loop (j) on tc(*,j+1) reduction(+:s)
  for(j=hi;j>=lo;j--) s+=j+1;
  for(j=hi;j>=lo;j--) ref+=j+1;
  if(s!=ref) e=2;
  s=0; ref=0;
#pragma xmp loop (i) on tk(i) reduction(+:s)
  for(i=lo;i<hi;i++) s+=i*i;
  for(i=lo;i<hi;i++) ref+=i*i;
  if(s!=ref) e=3;
  s=0; ref=0;
#pragma xmp loop (i) on tb(i,:) reduction(+:s)
  for(i=hi;i>lo;i-=st) s+=i;
  for(i=hi;i>lo;i-=st) ref+=i;
  if(s!=ref) e=4;
 }
 s=0;
#pragma xmp loop (j,i) on tb(i,j) reduction(+:s)
 for(j=0;j<N;j++) for(i=j;i<N;i++) { a[j][i]=j; s+=a[j][i]; }
 int ref=0; for(j=0;j<N;j++) for(i=j;i<N;i++) ref+=j;
 if(s!=ref) e=5;
 s=0;
#pragma xmp loop (j) on tc(*,j) reduction(+:s)
 for(j=1;j<=N;j++) for(i=0;i<j;i++) { b[j-1][i]=1; s+=b[j-1][i]; }
 if(s!=N*(N+1)/2) e=6;
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
