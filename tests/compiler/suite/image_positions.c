/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* images: sections in all positions, codimensions, expression positions */
typedef struct { int n; double v[4]; struct { short s[3]; } in; } S;
S s:[*], arr[5]:[*];
static int st[6]:[*];
int m[4][6]:[*], g[3]:[2][*];
#pragma xmp nodes p[*]
int f(int a, int b){ return a-b; }
int main(void){
 int me=xmpc_node_num(), n=xmp_num_nodes(), nx=(me+1)%n, i, j, e=0, loc[6], l2[6]; S t; short sh[3];
 s.n=me; for(i=0;i<4;i++) s.v[i]=me+i; for(i=0;i<3;i++) s.in.s[i]=me*i;
 for(i=0;i<5;i++) { arr[i].n=me*10+i; arr[i].v[2]=i; }
 for(i=0;i<6;i++) st[i]=me*6+i;
 for(i=0;i<4;i++) for(j=0;j<6;j++) m[i][j]=me*100+i*6+j;
 for(i=0;i<3;i++) g[i]=me*3+i;
 xmp_sync_all(NULL);
 if(s:[nx].n!=nx || s:[nx].v[2]!=nx+2 || s:[nx].in.s[1]!=nx) e=1;
 if(arr[3]:[nx].n!=nx*10+3) e=2;
 t=s:[nx]; if(t.v[3]!=nx+3) e=3;
 t=arr[1]:[nx]; if(t.n!=nx*10+1) e=4;
 if(f(st[2]:[nx], st[1]:[nx])!=1) e=5;
 loc[0:6]=st[0:6]:[nx];
 if(loc[5]!=nx*6+5) e=6;
 loc[0:3]=st[0:3:2]:[nx]+st[1:3:2]:[me];
 for(i=0;i<3;i++) if(loc[i]!=nx*6+2*i+me*6+2*i+1) e=7;
 l2[5:6:-1]=m[2][:]:[nx];
 for(i=0;i<6;i++) if(l2[5-i]!=nx*100+12+i) e=8;
 loc[0:4]=m[:][3]:[nx];
 for(i=0;i<4;i++) if(loc[i]!=nx*100+i*6+3) e=9;
 if(n%2==0) { if(g[1]:[nx%2][nx/2]!=nx*3+1) e=10; }
 else if(g[1]:[0][me/2]!=me/2*2*3+1) e=10;
 sh[:]=s:[nx].in.s[:];
 if(sh[2]!=nx*2) e=11;
 loc[0:5]=arr[0:5]:[nx].n;
 for(i=0;i<5;i++) if(loc[i]!=nx*10+i) e=12;
 xmp_sync_all(NULL);
 arr[0:2]:[nx].n=7;
 s:[nx].v[1:2]=0.25;
 m[1:2][0:3:2]:[nx]=-1;
 st[nx%6]:[nx]++;
 st[(nx+1)%6]:[nx]+=10;
 xmp_sync_all(NULL);
 if(arr[0].n!=7||arr[1].n!=7||arr[2].n!=me*10+2) e=13;
 if(s.v[1]!=.25||s.v[2]!=.25||s.v[3]!=me+3) e=14;
 for(i=0;i<4;i++) for(j=0;j<6;j++) if(m[i][j]!=((i==1||i==2)&&j%2==0?-1:me*100+i*6+j)) e=15;
 if(st[me%6]!=me*6+me%6+1 || st[(me+1)%6]!=me*6+(me+1)%6+10) e=16;
 xmp_sync_all(NULL);
 int cnt=0; for(i=0;i<s:[nx].n*0+3;i++) cnt++;
 if(cnt!=3) e=17;
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
