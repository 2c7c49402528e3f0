/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 1 2 3 4 5 6 7 8 16 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* loop over p, block sizes, gblock with zeros, odd sizes, n < nodes */
#pragma xmp nodes p(*)
int e;
static void size(int n, int off){
 int i,*w=calloc(xmp_num_nodes(),sizeof(int)),np=xmp_num_nodes();
 w[np-1]=n; if(np>2) { w[np-1]=n-n/2; w[1]=n/2; }
#pragma xmp template b(off:off+n-1)
#pragma xmp template c(off:off+n-1)
#pragma xmp template k(off:off+n-1)
#pragma xmp template g(off:off+n-1)
#pragma xmp distribute b(block) onto p
#pragma xmp distribute c(cyclic) onto p
#pragma xmp distribute k(cyclic(2)) onto p
#pragma xmp distribute g(gblock(w)) onto p
 int x[n], y[n], z[n], q[n], s=0;
#pragma xmp align x[i] with b(i+off)
#pragma xmp align y[i] with c(i+off)
#pragma xmp align z[i] with k(i+off)
#pragma xmp align q[i] with g(i+off)
#pragma xmp shadow x[1]
#pragma xmp shadow q[1]
#pragma xmp loop on b(i+off)
 for(i=0;i<n;i++) x[i]=i+1;
#pragma xmp reflect(x)
#pragma xmp gmove
 y[:]=x[:];
#pragma xmp gmove
 z[:]=y[:];
#pragma xmp gmove
 q[:]=z[:];
#pragma xmp reflect(q) width(/periodic/1)
#pragma xmp loop on g(i+off) reduction(+:s)
 for(i=0;i<n;i++) s+=q[i]*100+q[i-1]+q[i+1];
 if(s!=102*(n*(n+1)/2)) { printf("ERROR n=%d s=%d\n",n,s); e=1; }
 s=0;
#pragma xmp loop on c(i+off) reduction(+:s)
 for(i=n-1;i>=0;i--) s+=y[i];
 if(s!=n*(n+1)/2) { printf("ERROR n=%d c=%d\n",n,s); e=1; }
 s=0;
#pragma xmp loop on k(i+off) reduction(+:s)
 for(i=0;i<n;i+=1) s+=z[i];
 if(s!=n*(n+1)/2) { printf("ERROR n=%d k=%d\n",n,s); e=1; }
 free(w);
}
int main(void){ int n; for(n=1;n<=20;n+=3) size(n,n-5); size(1,0); size(64,-64); return e; }
