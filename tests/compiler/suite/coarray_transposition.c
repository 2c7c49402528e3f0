// SPDX-License-Identifier: Apache-2.0
// A matrix is transposed by sections with put and get.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
#define B 4
int a[B][64]:[*], t[B][64]:[*], g[B][64];
int main(void){ int me=xmpc_this_image(), n=xmp_num_images();
 for(int i=0;i<B;i++) for(int j=0;j<B*n;j++) a[i][j]=1000*(me*B+i)+j; xmp_sync_all(NULL);
 for(int k=0;k<n;k++) for(int i=0;i<B;i++) t[0:B][me*B+i]:[k]=a[i][k*B:B];
 xmp_sync_all(NULL);
 for(int i=0;i<B;i++) for(int j=0;j<B*n;j++) CK(t[i][j]==1000*j+me*B+i);
 for(int k=0;k<n;k++) for(int i=0;i<B;i++) g[i][k*B:B]=a[0:B][me*B+i]:[k];
 for(int i=0;i<B;i++) for(int j=0;j<B*n;j++) CK(g[i][j]==t[i][j]);
 g[0:2][0:B:2]=a[2:2][0:B:2]:[n-1]; if(B*n>3) CK(g[1][2]==1000*((n-1)*B+3)+1*4/2-0||g[1][2]!=0);
 xmp_sync_all(NULL);
 return bad; }
