// SPDX-License-Identifier: Apache-2.0
// Updates of a table on all images, by locks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
#define T 64
long table[T]:[*]; xmp_lock_t guard[4]:[*]; 
static unsigned long next(unsigned long *s){ *s=*s*6364136223846793005ul+1442695040888963407ul; return *s>>33; }
int main(void){ int me=xmpc_this_image(), n=xmp_num_images(); unsigned long s=me+1; long added=0;
 for(int k=0;k<200;k++){ int to=next(&s)%n, at=next(&s)%T; long v=next(&s)%100;
#pragma xmp lock(guard[at%4]:[to])
  table[at]:[to]+=v; xmp_sync_memory(NULL);
#pragma xmp unlock(guard[at%4]:[to])
  added+=v; }
#pragma xmp reduction(+:added)
 xmp_sync_all(NULL);
 long sum=0; for(int k=0;k<n;k++){ long loc[T]; loc[:]=table[:]:[k]; for(int i=0;i<T;i++) sum+=loc[i]; } CK(sum==added);
 xmp_sync_all(NULL);
 return bad; }
