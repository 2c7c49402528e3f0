/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 4 8 16 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* loops on nodes, node ranges, task in loops, on p[:][..] */
#pragma xmp nodes p[*][4]
#pragma xmp nodes all(*)
#pragma xmp nodes row(4)=all(1:4)
int main(void){
 int n=xmp_num_nodes(), c=n/4, i, j, e=0, s=0, me=xmpc_node_num();
#pragma xmp loop (i) on all(i)
 for(i=1;i<=n;i++) { if(i!=me+1) e=1; s=i; }
 if(s!=me+1) e=2;
 s=0;
#pragma xmp loop (i,j) on p[i][j] reduction(+:s)
 for(i=0;i<c;i++) for(j=0;j<4;j++) { s+=i*4+j; if(i*4+j!=me) e=3; }
 if(s!=n*(n-1)/2) e=4;
 s=0;
#pragma xmp loop (i) on p[i][:]
 for(i=0;i<c;i++) { int k=1; if(xmp_num_nodes()!=4) e=5;
#pragma xmp reduction(+:k)
  if(k!=4) e=6; s=i; }
 if(s!=me/4) e=7;
#pragma xmp task on p[0:c][1:2]
 { if(xmp_num_nodes()!=2*c) e=8; }
#pragma xmp task on p[*][0]
 { if(xmp_num_nodes()!=1||me%4!=0) e=9; }
#pragma xmp task on p[:][0:2:3]
 { if(xmp_num_nodes()!=2*c) e=10; }
#pragma xmp task on row
 { if(xmp_num_nodes()!=4) e=11;
#pragma xmp task on row(2:3)
  { int z=me;
#pragma xmp reduction(+:z)
   if(z!=3) e=12; } }
#pragma xmp task on row(4)
 { if(me!=3) e=13; }
#pragma xmp reduction(max:e) on all
 if(e) printf("ERROR %d\n",e);
 return e;
}
