// SPDX-License-Identifier: Apache-2.0
// Broadcast and reduction by trees of images.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
typedef struct { double v[3]; int n; } acc_t; acc_t part:[*]; float big[300]:[*];
int main(void){ int me=xmpc_this_image(), n=xmp_num_images();
 if(me==0) for(int i=0;i<300;i++) big[i]=i*0.25f;
 for(int d=1;d<n;d*=2){ if(me<d){ if(me+d<n){ big[:]:[me+d]=big[:]; xmp_sync_image(me+d,NULL);} } else if(me<2*d) xmp_sync_image(me-d,NULL); }
 for(int i=0;i<300;i++) CK(big[i]==i*0.25f);
 part.n=1; for(int i=0;i<3;i++) part.v[i]=me+i; xmp_sync_all(NULL);
 int d=1; while(d<n){ if(me%(2*d)==0&&me+d<n){ acc_t o=part:[me+d]; for(int i=0;i<3;i++) part.v[i]+=o.v[i]; part.n+=o.n; } xmp_sync_all(NULL); d*=2; }
 if(me==0){ CK(part.n==n); CK(part.v[2]==n*(n-1)/2+2*n); }
 CK(part.n:[0]==n); xmp_sync_all(NULL);
 return bad; }
