/* SPDX-License-Identifier: Apache-2.0 */
/* Shadows of dimensions that are not split, and periodic exchanges of them. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#define N 12
#define M 9
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
double a[N][M],b[N][M],f[N]; int c[4][N][3];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][*] with t[i][*]
#pragma xmp align f[i] with t[i][*]
#pragma xmp align c[*][i][*] with t[i][*]
#pragma xmp shadow a[1][1]
#pragma xmp shadow b[1:1][2:1]
#pragma xmp shadow c[1][1][0:1]
void step(double x[N][M]){
#pragma xmp align x[i][j] with t[i][j]
#pragma xmp shadow x[1][1]
#pragma xmp reflect(x) width(/periodic/1,/periodic/1)
#pragma xmp loop on t[i][*]
 for(int i=0;i<N;i++) for(int j=0;j<M;j++) { CHECK(x[i-1][j-1]==(i+N-1)%N*100+(j+M-1)%M); CHECK(x[i+1][j+1]==(i+1)%N*100+(j+1)%M); }
}
int main(void){
#pragma xmp loop on t[i][*]
 for(int i=0;i<N;i++) { for(int j=0;j<M;j++) a[i][j]=b[i][j]=i*100+j; for(int k=0;k<4;k++) for(int j=0;j<3;j++) c[k][i][j]=1000*k+10*i+j; }
#pragma xmp reflect(a) width(/periodic/1,/periodic/1)
#pragma xmp loop (i,j) on t[i][j]
 for(int i=0;i<N;i++) for(int j=0;j<M;j++) { CHECK(a[i-1][j-1]==(i+N-1)%N*100+(j+M-1)%M); CHECK(a[i+1][j+1]==(i+1)%N*100+(j+1)%M); CHECK(a[i][j-1]==i*100+(j+M-1)%M); }
 step(a);
#pragma xmp reflect(b) width(0,/periodic/2:1)
#pragma xmp loop on t[i][*]
 for(int i=0;i<N;i++) for(int j=0;j<M;j++) { CHECK(b[i][j-2]==i*100+(j+M-2)%M); CHECK(b[i][j+1]==i*100+(j+1)%M); }
#pragma xmp reflect(c) width(/periodic/1,1,/periodic/0:1)
#pragma xmp loop on t[i][*]
 for(int i=1;i<N-1;i++) for(int k=0;k<4;k++) for(int j=0;j<3;j++) { CHECK(c[k-1][i-1][j+1]==(k+3)%4*1000+10*(i-1)+(j+1)%3); CHECK(c[k+1][i+1][j]==(k+1)%4*1000+10*(i+1)+j); }
 CHECK(sizeof a==N*M*8);
 double l[N][M];
#pragma xmp gmove
 l[:][:]=a[:][:];
 for(int i=0;i<N;i++) for(int j=0;j<M;j++) CHECK(l[i][j]==i*100+j);
#pragma xmp array on t[:][:]
 a[:][:]=a[:][:]+b[:][:];
#pragma xmp loop on t[i][*]
 for(int i=0;i<N;i++) { double s=0; for(int j=0;j<M;j++) s+=a[i][j]; f[i]=s; CHECK(s==2*(i*100*M+M*(M-1)/2)); double *row=a[i]; CHECK(row[M-1]==2*(i*100+M-1)); }
#pragma xmp gmove
 f[:]=a[:][M-1];
#pragma xmp loop on t[i][*]
 for(int i=0;i<N;i++) CHECK(f[i]==2*(i*100+M-1));
 int v; xmp_array_lshadow(xmp_desc_of(b),2,&v); CHECK(v==2); xmp_array_ushadow(xmp_desc_of(b),2,&v); CHECK(v==1);
 xmp_array_lsize(xmp_desc_of(b),2,&v); CHECK(v==M); xmp_array_lda(xmp_desc_of(b),&v); CHECK(v==M+3);
#pragma xmp reduce_shadow(a) width(/periodic/1,/periodic/1)
 return failed; }
