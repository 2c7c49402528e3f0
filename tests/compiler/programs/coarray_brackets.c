// SPDX-License-Identifier: Apache-2.0
// Coarrays and assignments to images in brackets, as macros write them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
int a[5]:[*], x:[*]; struct s { int v[3]; } st:[*];
#define ON(v,k) ((v):[k])
#define PUT(v,k,w) ((v):[(k)] = (w))
#define IDX(v,i,k) (v)[(i)]:[(k)]
int main(void){ int me=xmpc_this_image(), n=xmp_num_images(), r=(me+1)%n, l=(me+n-1)%n; int *q=a;
 x=me; for(int i=0;i<5;i++) a[i]=10*me+i; st.v[1]=me; xmp_sync_all(NULL);
 CK((x):[r]==r); CK(ON(x,r)==r); CK(IDX(a,2,r)==10*r+2); CK((a)[3]:[l]==10*l+3); CK((*q):[r]==10*r); CK((a[1]):[r]==10*r+1); CK((st.v[1]):[r]==r); CK((st).v[1]:[r]==r);
 CK((me ? (x):[0] : 5)==(me?0:5)); CK((q[1]):[r]==10*r+1);
 xmp_sync_all(NULL); PUT(x,r,me+50); (a)[0:2]:[r]=me; (a[4]):[r]+=1; xmp_sync_all(NULL); CK(x==l+50&&a[0]==l&&a[1]==l&&a[4]==10*me+5);
 xmp_sync_all(NULL); return bad; }
