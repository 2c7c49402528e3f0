// SPDX-License-Identifier: Apache-2.0
// xmp_sync_images by sets: a pipeline, a star, pairs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
int v:[*], acc[16]:[*];
int main(void){ int me=xmpc_this_image(), n=xmp_num_images(), st;
 if(me>0){ xmp_sync_image(me-1,&st); CK(st==XMP_STAT_SUCCESS);} else v=1;
 if(me+1<n){ v:[me+1]=2*v; xmp_sync_image(me+1,&st);} CK(v==1<<me);
 xmp_sync_all(&st);
 if(me==0){ int set[16]; for(int k=1;k<n;k++) set[k-1]=k; xmp_sync_images(n-1,set,&st); int s=0; for(int k=1;k<n;k++) s+=acc[k]; CK(s==n*(n-1)/2); }
 else { acc[me]:[0]=me; xmp_sync_image(0,&st); }
 int pair[2]={me,me}; xmp_sync_images(2,pair,&st); xmp_sync_images(0,NULL,NULL);
 for(int d=1;d<n;d*=2){ int o=me^d; xmp_sync_all(NULL); if(o<n){ v:[o]=me; int one[1]={o}; xmp_sync_images(1,one,NULL); CK(v==o);} }
 xmp_sync_images_all(&st); CK(st==0);
 return bad; }
