// SPDX-License-Identifier: Apache-2.0
// Coarrays beside distributed arrays, and in nested tasks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
#define N 48
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N]; 
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
double edge[2]:[*]; int inner:[*], all[64]:[*];
#pragma xmp coarray on p :: all
int main(void){ int me=xmpc_node_num(), n=xmp_num_nodes(); int c=(N+n-1)/n, lo=me*c, hi=lo+c<N?lo+c:N;
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) a[i]=i;
 xmp_sync_all(NULL);
 if(lo<hi){ if(me>0) edge[1]:[me-1]=a[lo]; if(hi<N) edge[0]:[me+1]=a[hi-1]; }
#pragma xmp reflect (a)
 xmp_sync_all(NULL);
 if(lo<hi){ if(me>0) CK(edge[0]==a[lo-1]); if(hi<N) CK(edge[1]==a[hi]); }
 if(n>=3){
#pragma xmp task on p[1:n-1]
  { int q=xmpc_this_image(), m=xmp_num_images(); CK(m==n-1&&q==me-1); inner=100+q; xmp_sync_all(NULL); CK(inner:[(q+1)%m]==100+(q+1)%m);
    all[me]:[0]=7*me; xmp_sync_all(NULL);
#pragma xmp task on p[2:1]
    { CK(xmp_num_images()==1); CK(inner:[0]==101); all[me]:[1]=me; xmp_sync_all(NULL); }
  }
 }
 xmp_sync_all(NULL);
 if(me==0&&n>=3) for(int k=1;k<n;k++) CK(all[k]==7*k);
 if(me==1&&n>=3) CK(all[2]==2);
 return bad; }
