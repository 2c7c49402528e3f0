// SPDX-License-Identifier: Apache-2.0
// Locks protect counters and a list; acquired_lock.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
xmp_lock_t lock[3]:[*], one:[*]; long cnt[3]:[*]; int list[512]:[*], len:[*];
int main(void){ int me=xmpc_this_image(), n=xmp_num_images();
 for(int it=0;it<12;it++) for(int k=0;k<n&&k<3;k++){ int at=(me+k)%n;
#pragma xmp lock(lock[k]:[at])
  cnt[k]:[at]+=me+1;
#pragma xmp unlock(lock[k]:[at])
 }
 for(int it=0;it<8;it++){ int ok=0; while(!ok){
#pragma xmp lock(one:[0]) acquired_lock(ok)
  }
  int p=len:[0]; list[p]:[0]=100*me+it; len:[0]=p+1;
#pragma xmp unlock(one:[0])
 }
 xmp_sync_all(NULL);
 if(me==0){ CK(len==8*n); int seen=0; for(int k=0;k<len;k++) seen+=list[k]%100<8; CK(seen==8*n); }
 for(int k=0;k<n&&k<3;k++){ int from=(me-k%n+n)%n; CK(cnt[k]==12*(from+1)); }
 return bad; }
