// SPDX-License-Identifier: Apache-2.0
// Atomic variables as flags of what was put.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
int flag:[*], cells[4]:[*]; double data[100]:[*];
int main(void){ int me=xmpc_this_image(), n=xmp_num_images(), x;
 xmp_atomic_define(cells[2]:[(me+1)%n], me+50); xmp_sync_all(NULL);
 xmp_atomic_ref(&x, cells[2]:[me]); CK(x==(me+n-1)%n+50); xmp_atomic_ref(&x, cells[2]); CK(x==(me+n-1)%n+50);
 if(me==0){ for(int k=1;k<n;k++){ data[0:100]:[k]=3.25; } xmp_sync_memory(NULL); for(int k=1;k<n;k++) xmp_atomic_define(flag:[k],1); }
 else { int f=0; while(!f){ xmp_atomic_ref(&f, flag); } xmp_sync_memory(NULL); CK(data[99]==3.25&&data[0]==3.25); }
#pragma xmp sync_memory
 xmp_sync_all(NULL); return bad; }
