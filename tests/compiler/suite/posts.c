/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* post/wait by expression, arrays of nodes, image sets */
#pragma xmp nodes p(*)
#pragma xmp nodes q[*]
int box[8]:[*]; int done:[*];
int main(void){
 int me=xmp_node_num(), n=xmp_num_nodes(), i, e=0, st, left=me==1?n:me-1, right=me==n?1:me+1;
 for(i=0;i<5;i++){
  box[0]:[right-1]=me*10+i;
#pragma xmp post(p(right),i)
#pragma xmp wait(p(left),i)
  if(box[0]!=left*10+i) e=1;
#pragma xmp post(q[left-1],100+i)
#pragma xmp wait(q[right-1],100+i)
 }
 int all[16]; for(i=0;i<n;i++) all[i]=i;
 xmp_sync_images(n,all,&st);
 if(st!=XMP_STAT_OK) e=2;
 if(me>1) { box[1]:[me-2]=5; xmp_sync_memory(&st); }
 if(me>1) xmp_sync_image(me-2,&st);
 if(me<n) { xmp_sync_image(me,&st); if(box[1]!=5) e=3; }
 xmp_sync_images_all(&st);
 int pair[2]={left-1,right-1};
 if(n>2) xmp_sync_images(2,pair,NULL);
 xmp_sync_all(&st);
 if(me==1) for(i=0;i<n;i++) xmp_atomic_define(done:[i],1);
 int v=0; while(!v) xmp_atomic_ref(&v,done:[me-1]);
 xmp_sync_all(&st);
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
