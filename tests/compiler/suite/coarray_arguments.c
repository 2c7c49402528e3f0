// SPDX-License-Identifier: Apache-2.0
// Coarrays as arguments, pointers into them, extern and static ones.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
extern int e[8]:[*]; int e[8]:[*]; static double sd[6]:[*]; int m[4][5]:[*];
static void fill(int *p,int n,int v){ for(int i=0;i<n;i++)p[i]=v+i; }
static void put(int *p,int k,int v){ p[1]:[k]=v; }
static int get(int (*q)[5],int k){ return q[2][3]:[k]; }
static void addv(double d[],int n,int k){ for(int i=0;i<n;i++) d[i]:[k]=d[i]+0.5; }
int main(void){ int me=xmpc_this_image(), n=xmp_num_images(), r=(me+1)%n, l=(me+n-1)%n;
 fill(e,8,10*me); fill(&m[0][0],20,100*me); for(int i=0;i<6;i++) sd[i]=i; xmp_sync_all(NULL);
 put(e,r,me); CK(get(m,r)==100*r+13); xmp_sync_all(NULL); CK(e[1]==l);
 int *q=&e[2]; CK(q[0]:[r]==10*r+2); CK(*q==10*me+2); q[3]:[r]=-me; xmp_sync_all(NULL); CK(e[5]==-l);
 int loc[4]; loc[0:4]=q[0:4]:[r]; CK(loc[0]==10*r+2&&loc[3]==-me);
 xmp_sync_all(NULL); addv(sd,6,r); xmp_sync_all(NULL); CK(sd[5]>=5.5);
 CK(sizeof(e)==32&&sizeof e[0]==4&&sizeof m/sizeof m[0]==4);
 e[0]++; e[0]:[me]+=2; CK(e[0]==10*me+3); int z=e[0]:[me]++; CK(z==10*me+3&&e[0]==10*me+4);
 xmp_sync_all(NULL);
 return bad; }
