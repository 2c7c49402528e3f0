/* SPDX-License-Identifier: Apache-2.0 */
/* image sections with members on both sides */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
typedef struct { int n; double v[4]; struct { short s[3]; int q; } in[2]; } S;
S arr[6]:[*], mat[3][4]:[*]; S loc[6]; double w[6]; int out[3][4];
int main(void){
 int me=xmpc_node_num(), n=xmp_num_nodes(), nx=(me+1)%n, pv=(me+n-1)%n, i,j,k,e=0;
 for(i=0;i<6;i++){ arr[i].n=me*10+i; for(j=0;j<4;j++) arr[i].v[j]=me*100+i*4+j; for(k=0;k<2;k++) { arr[i].in[k].q=me+i+k; for(j=0;j<3;j++) arr[i].in[k].s[j]=me+i*6+k*3+j; } }
 for(i=0;i<3;i++) for(j=0;j<4;j++) mat[i][j].n=me*50+i*4+j;
 xmp_sync_all(NULL);
 int r[6], r2[2][3]; double d[4];
 r[0:6]=arr[0:6]:[nx].n;
 for(i=0;i<6;i++) if(r[i]!=nx*10+i) e=1;
 r[0:3]=arr[0:3:2]:[nx].in[1].q+1;
 for(i=0;i<3;i++) if(r[i]!=nx+2*i+2) e=2;
 d[0:4]=arr[3]:[nx].v[:];
 for(j=0;j<4;j++) if(d[j]!=nx*100+12+j) e=3;
 r2[0:2][0:3]=arr[1:2]:[nx].in[1].s[0:3];
 for(i=0;i<2;i++) for(j=0;j<3;j++) if(r2[i][j]!=nx+(1+i)*6+3+j) e=4;
 out[:][:]=mat[:][:]:[nx].n;
 for(i=0;i<3;i++) for(j=0;j<4;j++) if(out[i][j]!=nx*50+i*4+j) e=5;
 xmp_sync_all(NULL);
 arr[0:2]:[nx].n=7;
 arr[2:2]:[nx].n+=1000;
 arr[4]:[nx].v[1:2]=0.5;
 arr[4:2]:[nx].in[0].s[0:3]=r2[0:2][0:3];
 mat[0:2:2][1:3]:[nx].n=out[0:2:2][0:3];
 xmp_sync_all(NULL);
 if(arr[0].n!=7||arr[1].n!=7||arr[2].n!=me*10+2+1000||arr[3].n!=me*10+1003||arr[4].n!=me*10+4) e=6;
 if(arr[4].v[1]!=.5||arr[4].v[2]!=.5||arr[4].v[0]!=me*100+16||arr[4].v[3]!=me*100+19) e=7;
 for(i=0;i<2;i++) for(j=0;j<3;j++) if(arr[4+i].in[0].s[j]!=me+(1+i)*6+3+j) e=8;
 loc[:]=arr[:]:[nx];
 for(i=0;i<3;i+=2) for(j=0;j<3;j++) if(mat[i][1+j].n!=me*50+i*4+j) e=9;
 if(mat[1][1].n!=me*50+5) e=10;
#pragma xmp nodes p[*]
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 (void)pv; (void)w;
 return e;
}
