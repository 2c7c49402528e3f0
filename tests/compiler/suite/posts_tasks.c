/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* wait/post forms, async ids in variables and long arithmetic, barrier on subsets, loops with barrier */
#pragma xmp nodes p(*)
#pragma xmp nodes g(*)
#define TAG(i) ((i)*3+1)
static int buf[100]:[*];
int main(void){
 int me=xmp_node_num(),n=xmp_num_nodes(),i,e=0; long tag=5; unsigned short us=7;
 if(n>=2){
  if(me==1){ buf[0:10]:[1]=3;
#pragma xmp post(p(2),TAG(2))
#pragma xmp post (p(2), tag)
#pragma xmp post (g(2), us)
  }
  if(me==2){
#pragma xmp wait(p(1),TAG(2))
   for(i=0;i<10;i++) if(buf[i]!=3) e=1;
#pragma xmp wait(p(1))
#pragma xmp wait
  }
 }
 for(i=1;i<=n;i++) {
#pragma xmp barrier on p(1:i)
#pragma xmp task on p(i) nocomm
  { buf[20]:[n-1]=i; }
  xmp_sync_all(NULL);
  if(me==n&&buf[20]!=i) e=2;
  xmp_sync_all(NULL);
 }
#pragma xmp task on p(1)
 { for(i=0;i<n;i++) buf[30:5]:[i]=buf[0:5]:[n>1?1:0]; xmp_sync_memory(NULL); }
 xmp_sync_all(NULL);
 for(i=30;i<35;i++) if(buf[i]!=(n>1?3:0)) e=3;
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
