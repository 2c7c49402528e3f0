/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
int x[5]; double y; char msg[16]:[*];
#pragma xmp coarray x, y : [*]
xmp_lock_t lk:[*], lks[3]:[*];
int counter:[*], flag:[*];
int main(int argc,char**argv){
  int me=xmp_node_num()-1,n=xmp_num_nodes(),i,v,r=0;
  x[0]=me;y=me*1.5;counter=0;flag=0;
  xmp_sync_all(0);
  if(x[0]:[n-1]!=n-1||y:[0]!=0.0) r=1;
  for(i=0;i<20;i++){
#pragma xmp lock(lk:[0])
    counter:[0] = counter:[0] + 1;
    xmp_sync_memory(0);
#pragma xmp unlock(lk:[0])
  }
#pragma xmp lock(lks[1]:[n-1])
  counter:[n-1] = counter:[n-1];
#pragma xmp unlock(lks[1]:[n-1])
  xmp_sync_all(0);
  if(me==0 && counter!=20*n) { r=2; fprintf(stderr,"%d\n",counter); }
  if(me==0) for(i=1;i<n;i++) xmp_atomic_define(flag:[i],i+100);
  else { do { xmp_atomic_ref(&v,flag:[me]); } while(v==0); if(v!=me+100) r=3; }
  xmp_sync_all(0);
  if(n>1){
    if(me==0) {
      for(i=1;i<n;i++) { x[1]:[i] = 77+i;
#pragma xmp post(p(i+1), i)
      }
    } else {
#pragma xmp wait(p(1), me)
      if(x[1]!=77+me) r=4;
    }
    if(me!=0) {
#pragma xmp post(p(1), 9)
    } else for(i=1;i<n;i++) {
#pragma xmp wait
    }
  }
  xmp_sync_image((me+1)%n==me?me:(me^1)<n?(me^1):me,0);
#pragma xmp reduction(max:r)
  if(r) printf("ERROR %d\n",r);
  return r;
}
