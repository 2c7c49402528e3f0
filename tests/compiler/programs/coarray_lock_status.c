// SPDX-License-Identifier: Apache-2.0
// The clauses acquired_lock and stat of lock and unlock.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
xmp_lock_t lk:[*], ls[3]:[*]; int count:[*];
int main(void){
  int me=xmpc_this_image(), n=xmp_num_images(), ok=-1, st=-1;
  for(int i=0;i<20;i++){
#pragma xmp lock(lk:[0]) stat(st)
    CK(st==XMP_STAT_SUCCESS);
    count:[0]=count:[0]+1;
    xmp_sync_memory(NULL);
#pragma xmp unlock(lk:[0]) stat(st)
    CK(st==XMP_STAT_SUCCESS);
  }
  xmp_sync_all(NULL);
  if(me==0) CK(count==20*n);
  if(me==0){
#pragma xmp lock(ls[1]:[0])
  }
  xmp_sync_all(NULL);
  ok=-1;
  if(me!=0){
#pragma xmp lock(ls[1]:[0]) acquired_lock(ok) stat(st)
  CK(ok==0); CK(st==XMP_STAT_SUCCESS);
#pragma xmp unlock(ls[1]:[0]) stat(st)
  CK(st==XMP_STAT_LOCKED_OTHER_IMAGE);
  } else {
#pragma xmp lock(ls[1]:[0]) stat(st)
  CK(st==XMP_STAT_LOCKED);
  }
  xmp_sync_all(NULL);
  if(me==0){
#pragma xmp unlock(ls[1]:[0]) stat(st)
  CK(st==XMP_STAT_SUCCESS);
#pragma xmp unlock(ls[1]:[0]) stat(st)
  CK(st==XMP_STAT_UNLOCKED);
#pragma xmp lock(ls[1]:[0]) acquired_lock(ok)
  CK(ok==1);
#pragma xmp unlock(ls[1]:[0])
  }
  return bad; }
