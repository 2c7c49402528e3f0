// SPDX-License-Identifier: Apache-2.0
// Structures, also without a name: members, arrays of them, whole ones.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
typedef struct { int n; double v[4]; struct { short a, b[3]; } in; char s[8]; } rec;
rec x:[*], xs[5]:[*], xm[2][3]:[*];
struct tag { int p; float q; } t:[*];
static struct { int n; double a; } an:[*];
static double sum(double *p, int n){ double s=0; for(int i=0;i<n;i++) s+=p[i]; return s; }
static int take(rec r){ return r.n + r.in.b[1]; }
int main(void){ int me=xmpc_this_image(), n=xmp_num_images(), r=(me+1)%n, l=(me+n-1)%n;
 rec loc={me,{me,me+1,me+2,me+3},{(short)me,{1,2,3}},"abc"};
 x:[r]=loc; xs[2]:[r]=loc; xs[3].v[1]:[r]=5.5+me; xs[3]:[r].n=me; xs[4]:[r].in.b[2]=(short)(me+7); xm[1][2]:[r].v[0:3]=loc.v[1:3];
 t:[r].p=me; t.q:[r]=me*0.5f; an:[r].a=me; an.n:[r]=me+1;
 xmp_sync_all(NULL);
 CK(x.n==l&&x.v[3]==l+3&&x.in.b[2]==3&&!strcmp(x.s,"abc"));
 CK(xs[2].n==l&&xs[3].v[1]==5.5+l&&xs[3].n==l&&xs[4].in.b[2]==l+7);
 CK(xm[1][2].v[0]==l+1&&xm[1][2].v[2]==l+3&&t.p==l&&t.q==l*0.5f&&an.a==l&&an.n==l+1);
 xmp_sync_all(NULL);
 CK(sum(x.v,4)==4*l+6); CK(take(x:[r])==me+2); rec y=x:[r]; CK(y.n==me); y=xs[2]:[l]; CK(y.n==(l+n-1)%n);
 rec ys[5]; ys[0:5]=xs[0:5]:[r]; CK(ys[2].n==me&&ys[3].v[1]==5.5+me);
 CK((x:[r]).n==me); CK(x:[r].in.a==me); CK(sizeof(x:[0])==sizeof(rec));
 int q = xs[3].n:[r] + xs[x:[r].n-me+2]:[r].n; CK(q==2*me);
 xmp_sync_all(NULL);
 return bad; }
