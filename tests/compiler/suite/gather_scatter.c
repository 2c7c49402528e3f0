/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* gather/scatter */
#pragma xmp nodes p[*]
#define N 26
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic] onto p
#pragma xmp template t2[N][4]
#pragma xmp distribute t2[block][*] onto p
int a[N], x[N], idx[N], y[N], b2[N][4], i1[N], i2[N]; float fa[N], fx[N];
#pragma xmp align [i] with t[i] :: a, fa
#pragma xmp align [i] with c[i] :: x, idx, i1, i2, fx
#pragma xmp align y[i] with t[i]
#pragma xmp align b2[i][j] with t2[i][j]
int main(void){
 int i,j,e=0;
#pragma xmp loop on t[i]
 for(i=0;i<N;i++) { a[i]=i*i; fa[i]=i*.5; y[i]=-1; }
#pragma xmp loop on c[i]
 for(i=0;i<N;i++) { idx[i]=(i*5+3)%N; i1[i]=(i*3)%N; i2[i]=i%4; }
#pragma xmp loop on t2[i][*]
 for(i=0;i<N;i++) for(j=0;j<4;j++) b2[i][j]=i*4+j;
 xmp_gather(x[:],a[:],idx[:]);
#pragma xmp loop on c[i]
 for(i=0;i<N;i++) if(x[i]!=idx[i]*idx[i]) e=1;
 xmp_gather(fx[:],fa[:],idx[:]);
#pragma xmp loop on c[i]
 for(i=0;i<N;i++) if(fx[i]!=idx[i]*.5f) e=2;
 xmp_scatter(y[:],x[:],idx[:]);
#pragma xmp loop on t[i]
 for(i=0;i<N;i++) if(y[i]!=i*i) e=3;
 xmp_gather(x[:],b2[:][:],i1[:],i2[:]);
#pragma xmp loop on c[i]
 for(i=0;i<N;i++) if(x[i]!=((i*3)%N)*4+i%4) e=4;
#pragma xmp loop on t2[i][*]
 for(i=0;i<N;i++) for(j=0;j<4;j++) b2[i][j]=0;
 xmp_scatter(xmp_desc_of(b2),xmp_desc_of(x),xmp_desc_of(i1),xmp_desc_of(i2));
 int s=0;
#pragma xmp loop on t2[i][*] reduction(+:s)
 for(i=0;i<N;i++) for(j=0;j<4;j++) s+=b2[i][j];
 int ans=0; for(i=0;i<N;i++) ans+=((i*3)%N)*4+i%4;
 if(s!=ans) e=5;
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
