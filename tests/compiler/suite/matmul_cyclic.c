/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 64
double A[N][N], B[N][N], C[N][N];
#pragma xmp nodes p(*)
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(cyclic) onto p
#pragma xmp align A[i][*] with t(i)
#pragma xmp align B[*][i] with t(i)
#pragma xmp align C[i][*] with t(i)
double full[N][N], ga[N][N], gb[N][N];
int main(void){
  int i,j,k;
  srand(42);
  for(i=0;i<N;i++) for(j=0;j<N;j++){ ga[i][j]=rand()%10; gb[i][j]=rand()%10; }
#pragma xmp gmove
  A[:][:] = ga[:][:];
#pragma xmp gmove
  B[0:N][0:N] = gb[0:N][0:N];
#pragma xmp loop on t(i)
  for(i=0;i<N;i++) for(j=0;j<N;j++) C[i][j]=0;
  for(k=0;k<N;k++){
    double col[N];
#pragma xmp gmove
    col[:] = B[k][:];
#pragma xmp loop on t(i)
    for(i=0;i<N;i++) for(j=0;j<N;j++) C[i][j]+=A[i][k]*col[j];
  }
#pragma xmp gmove
  full[:][:] = C[:][:];
  for(i=0;i<N;i++) for(j=0;j<N;j++){ double s=0; for(k=0;k<N;k++) s+=ga[i][k]*gb[k][j]; if(s!=full[i][j]) { printf("ERROR %d %d\n",i,j); return 1; } }
  return 0;
}
