// SPDX-License-Identifier: Apache-2.0
// post and wait: rings, tags out of order, from any node.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
#pragma xmp nodes p[*]
int x:[*], y[4]:[*];
int main(void){ int me=xmpc_node_num(), n=xmp_num_nodes(), r=(me+1)%n, l=(me+n-1)%n;
 for(int it=0;it<30;it++){ x:[r]=1000*me+it;
#pragma xmp post(p[r], it)
#pragma xmp wait(p[l], it)
  CK(x==1000*l+it);
#pragma xmp post(p[l], 77)
#pragma xmp wait(p[r], 77)
 }
#pragma xmp post(p[r], 1)
#pragma xmp post(p[r], 2)
#pragma xmp post(p[r], 3)
#pragma xmp wait(p[l], 3)
#pragma xmp wait(p[l])
#pragma xmp wait
 int tag = 4+me;
#pragma xmp post(p(r+1), tag)
#pragma xmp wait(p(l+1), 4+l)
 if(me==0) for(int k=1;k<n;k++) {
#pragma xmp wait
 } else {
#pragma xmp post(p[0], me)
 }
 return bad; }
