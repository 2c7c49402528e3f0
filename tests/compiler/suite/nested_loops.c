/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 2 4 6 8 16 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 18
#define M 14
#pragma xmp nodes p[*][2]
#pragma xmp nodes q(*)
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][block] onto p
#pragma xmp template t1(N,N), t3(0:N-1,0:N-1,0:N-1)
#pragma xmp distribute (*,block) onto q :: t1
#pragma xmp distribute t3(cyclic,*,*) onto q
int a[N][M], b[N][N], c[N][N][N];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with t1(j+1,i+1)
#pragma xmp align c[k][j][i] with t3(i,j,k)
#pragma xmp shadow a[1][1]
#pragma xmp shadow b[1:1][0:0]
int main(){
 int i,j,k,e=0;
 /* nested directives */
#pragma xmp loop on t[i][*]
 for(i=0;i<N;i++)
#pragma xmp loop on t[*][j]
  for(j=0;j<M;j++)
   a[i][j]=i*M+j;
#pragma xmp reflect(a) width(1,/periodic/1)
#pragma xmp loop (i) on t[i][:]
 for(i=1;i<N-1;i++) {
  int s=0;
#pragma xmp loop (j) on t[:][j]
  for(j=0;j<M;j++) { s=a[i-1][j]+a[i+1][j]+a[i][j-1]+a[i][j+1]+a[i-1][j+1];
   int l=(j+M-1)%M,r=(j+1)%M; if(s!=2*i*M+2*j+2*i*M+l+r+(i-1)*M+r) e=1; }
 }
#pragma xmp loop on t1(:,i+1)
 for(i=0;i<N;i++) for(j=0;j<N;j++) b[i][j]=i-j;
#pragma xmp reflect (b)
#pragma xmp loop on t1(j,i)
 for(i=2;i<N;i++) for(j=1;j<=N;j++) if(b[i-2][j-1]+b[i][j-1]!=2*(i-1-j+1)) e=2;
#pragma xmp loop on t3(i,*,*)
 for(k=0;k<N;k++) for(j=0;j<N;j++) for(i=0;i<N;i++) c[k][j][i]=k*10000+j*100+i;
#pragma xmp loop (i) on t3(i,:,:)
 for(i=N-1;i>=0;i-=1) for(j=0;j<N;j++) for(k=0;k<N;k++) if(c[k][j][i]!=k*10000+j*100+i) e=3;
#pragma xmp gmove
 b[:][:]=c[3][:][:];
#pragma xmp loop (j,i) on t1(i+1,j+1)
 for(j=0;j<N;j++) for(i=0;i<N;i++) if(b[j][i]!=3*10000+j*100+i) e=4;
#pragma xmp gmove
 b[2][:]=c[:][4][5];
#pragma xmp task on t1(1,3)
 { for(i=0;i<N;i++) if(b[2][i]!=i*10000+405) e=5; }
 for(i=0;i<N;i++) {
#pragma xmp task on t1(1,i+1)
  b[i][0]=xmp_all_node_num();
 }
#pragma xmp task on t[3:2][0:4]
 { if(xmp_num_nodes()>4) e=6; }
#pragma xmp reduction(+:e)
 if(e) printf("ERROR %d\n",e);
 return e!=0;
}
