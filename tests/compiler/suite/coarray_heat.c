// SPDX-License-Identifier: Apache-2.0
// The heat equation: halos by puts, post and wait.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
#include <math.h>
#define L 32
#pragma xmp nodes p[*]
double u[L+2]:[*], res:[*]; double w[L+2];
int main(void){ int me=xmpc_this_image(), n=xmp_num_images();
 for(int i=0;i<L+2;i++) u[i]=0; if(me==0) u[0]=100; if(me==n-1) u[L+1]=200;
 xmp_sync_all(NULL);
 for(int it=0;it<400;it++){
  if(me>0){ u[L+1]:[me-1]=u[1];
#pragma xmp post(p[me-1], 2*it)
  }
  if(me<n-1){ u[0]:[me+1]=u[L];
#pragma xmp post(p[me+1], 2*it+1)
  }
  if(me>0){
#pragma xmp wait(p[me-1], 2*it+1)
  }
  if(me<n-1){
#pragma xmp wait(p[me+1], 2*it)
  }
  for(int i=1;i<=L;i++) w[i]=0.5*(u[i-1]+u[i+1]);
  res=0; for(int i=1;i<=L;i++){ res+=fabs(w[i]-u[i]); }
  xmp_sync_all(NULL);
  u[1:L]=w[1:L];
  xmp_sync_all(NULL);
 }
 /* the same serially */
 int N=n*L; double *a=calloc(N+2,8),*b=calloc(N+2,8); a[0]=100; a[N+1]=200;
 for(int it=0;it<400;it++){ for(int i=1;i<=N;i++) b[i]=0.5*(a[i-1]+a[i+1]); for(int i=1;i<=N;i++) a[i]=b[i]; }
 for(int i=1;i<=L;i++) CK(u[i]==a[me*L+i]);
 double s=0; for(int k=0;k<n;k++) s+=res:[k]; CK(s>0); free(a); free(b);
 return bad; }
