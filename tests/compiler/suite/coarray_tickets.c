// SPDX-License-Identifier: Apache-2.0
// Images take work by a ticket; results with atomic flags.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
#define JOBS 40
xmp_lock_t l:[*]; int ticket:[*], done[JOBS]:[*], result[JOBS]:[*], ready:[*];
static int work(int k){ return k*k+1; }
int main(void){ int me=xmpc_this_image(), n=xmp_num_images(), mine=0;
 for(;;){ int k;
#pragma xmp lock(l:[0])
  k=ticket:[0]; if(k<JOBS) ticket:[0]=k+1;
#pragma xmp unlock(l:[0])
  if(k>=JOBS) break;
  result[k]:[0]=work(k); xmp_sync_memory(NULL); xmp_atomic_define(done[k]:[0],me+1); mine++; }
 if(me==0){ for(int k=0;k<JOBS;k++){ int f=0; while(!f) xmp_atomic_ref(&f,done[k]); xmp_sync_memory(NULL); CK(result[k]==work(k)); CK(f>=1&&f<=n); }
  for(int i=1;i<n;i++) xmp_atomic_define(ready:[i],1); }
 else { int f=0; do { xmp_atomic_ref(&f,ready); } while(!f); }
#pragma xmp reduction(+:mine)
 CK(mine==JOBS);
 return bad; }
