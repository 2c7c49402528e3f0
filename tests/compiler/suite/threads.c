/* SPDX-License-Identifier: Apache-2.0 */
/* FLAGS: -fopenmp */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#pragma xmp template t(0:99,0:49)
#pragma xmp distribute t(*,block) onto p
int a[50][100],b[50][100];
#pragma xmp align a[i][j] with t(j,i)
#pragma xmp align b[i][j] with t(j,i)
int main(void){
 int i,j,s=0,e=0,mx=0;
#pragma xmp loop (i) on t(*,i)
#pragma omp parallel for private(j)
 for(i=0;i<50;i++) for(j=0;j<100;j++) { a[i][j]=i+j; b[i][j]=0; }
#pragma omp parallel for private(j) reduction(+:s)
#pragma xmp loop (i) on t(*,i) reduction(+:s)
 for(i=0;i<50;i++) for(j=0;j<100;j++) s+=a[i][j];
 if(s!=100*1225+50*4950) e=1;
#pragma omp parallel
 {
#pragma omp for
#pragma xmp loop (i) on t(*,i)
  for(i=0;i<50;i++) { int k; for(k=0;k<100;k++) b[i][k]+=a[i][k]; }
 }
#pragma xmp loop (i,j) on t(j,i) reduction(max:mx)
#pragma omp parallel for collapse(2) reduction(max:mx) schedule(static)
 for(i=0;i<50;i++) for(j=0;j<100;j++) if(b[i][j]>mx) mx=b[i][j];
 if(mx!=148) e=2;
#pragma xmp loop (i) on t(*,i)
 for(i=0;i<50;i++)
#pragma omp simd
  for(j=0;j<100;j++) b[i][j]*=2;
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
