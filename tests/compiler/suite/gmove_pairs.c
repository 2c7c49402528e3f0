/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 2 4 6 8 16 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 24
#pragma xmp nodes p[*][2]
#pragma xmp template t[N][N]
#pragma xmp template c[N][N]
#pragma xmp template r[N]
#pragma xmp nodes line(*)
#pragma xmp distribute t[block][block] onto p
#pragma xmp distribute c[cyclic(2)][cyclic(5)] onto p
#pragma xmp distribute r[block] onto line
int a[N][N], b[N][N], d[N][N], rep[N], cl[N], v[N], loc[N][N];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with c[j][i]
#pragma xmp align d[i][*] with r[i]
#pragma xmp align rep[j] with t[*][j]
#pragma xmp align cl[j] with c[j][*]
#pragma xmp align v[i] with r[i]
int E(int i,int j){ return i*100+j; }
int chk(int id, int c){ if(!c){ fprintf(stderr,"ERROR %d on %d\n",id,xmp_node_num()); exit(1);} return 0; }
int main(){
 int i,j;
#pragma xmp loop on t[i][j]
 for(i=0;i<N;i++) for(j=0;j<N;j++) a[i][j]=E(i,j);
#pragma xmp gmove
 b[:][:]=a[:][:];
#pragma xmp loop (i,j) on c[j][i]
 for(i=0;i<N;i++) for(j=0;j<N;j++) chk(1,b[i][j]==E(i,j));
#pragma xmp gmove
 d[0:N/2][0:N/2:2]=b[N/2:N/2][0:N/2:2];
#pragma xmp loop on r[i]
 for(i=0;i<N/2;i++) for(j=0;j<N;j+=2) chk(2,d[i][j]==E(i+N/2,j));
#pragma xmp gmove
 rep[:]=a[5][:];
#pragma xmp loop on t[*][j]
 for(j=0;j<N;j++) chk(3,rep[j]==E(5,j));
#pragma xmp gmove
 cl[:]=a[:][7];
#pragma xmp loop on c[j][*]
 for(j=0;j<N;j++) chk(4,cl[j]==E(j,7));
#pragma xmp gmove
 v[2:10]=b[3:10:2][11];
#pragma xmp loop on r[i]
 for(i=2;i<12;i++) chk(5,v[i]==E(3+2*(i-2),11));
#pragma xmp gmove
 a[3][:]=rep[:];
#pragma xmp gmove
 a[:][4]=cl[:];
#pragma xmp gmove
 loc[:][:]=a[:][:];
 for(i=0;i<N;i++) for(j=0;j<N;j++) chk(6,loc[i][j]==(j==4?E(i,7):i==3?E(5,j):E(i,j)));
#pragma xmp gmove
 a[0:N][0:N]=b[:][:];
#pragma xmp gmove
 a[0][0]=b[1][1];
#pragma xmp gmove
 i=a[0][0];
 chk(7,i==101);
#pragma xmp gmove
 a[N-1][:]=i;
#pragma xmp gmove
 loc[0][:]=a[N-1][:];
 for(j=0;j<N;j++) chk(8,loc[0][j]==101);
#pragma xmp gmove
 b[:][:]=0;
#pragma xmp gmove
 b[1:2][3:4]=loc[4:2][0:4];
#pragma xmp gmove
 loc[:][:]=b[:][:];
 for(i=0;i<N;i++) for(j=0;j<N;j++) chk(9, loc[i][j]==((i==1||i==2)&&j>=3&&j<7 ? (j-3==4?E(i+3,7):E(i+3,j-3)) : 0));
#pragma xmp gmove async(3)
 d[:][:]=a[:][:];
#pragma xmp wait_async(3)
#pragma xmp loop on r[i]
 for(i=0;i<N-1;i++) for(j=1;j<N;j++) chk(10,d[i][j]==E(i,j));
 /* transposing by gmove of a row with a column */
#pragma xmp gmove
 a[:][2]=d[6][:];
#pragma xmp loop (i) on t[i][2]
 for(i=1;i<N;i++) chk(11,a[i][2]==E(6,i));
 if(xmp_node_num()==1) printf("PASS\n");
 return 0;
}
