// SPDX-License-Identifier: Apache-2.0
// Several codimensions.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
int a:[2][*], b[3]:[2][*], c:[1][2][*];
int main(void){ int me=xmpc_this_image(), n=xmp_num_images(); if(n%2==0){
 a=me; b[:]=10*me; c=100*me; xmp_sync_all(NULL);
 for(int j=0;j<n/2;j++)for(int i=0;i<2;i++){ CK(a:[i][j]==i+2*j); CK(b[1]:[i][j]==10*(i+2*j)); CK(c:[0][i][j]==100*(i+2*j)); }
 xmp_sync_all(NULL); int i=me%2,j=me/2;
 b[0:2]:[1-i][j]=(int)me; xmp_sync_all(NULL); CK(b[0]==(1-i)+2*j&&b[1]==b[0]&&b[2]==10*me);
 } return bad; }
