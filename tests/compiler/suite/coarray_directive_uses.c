// SPDX-License-Identifier: Apache-2.0
// Coarrays of the directive in loops, conditions and initializers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
int a, b[10]; float f[2][3];
#pragma xmp coarray a, b : [*]
#pragma xmp coarray f : [*]
#define AT(k) a:[k]
#define N 10
int main(void){ int me=xmpc_this_image(), n=xmp_num_images();
 a=me+1; for(int i=0;i<N;i++) b[i]=i*me; f[1][2]=me; xmp_sync_all(NULL);
 int s=0; for(int k=0;k<n;k++) s+=AT(k); CK(s==n*(n+1)/2);
 int mx=0; for(int k=0;k<n;k++) if(a:[k]>mx) mx=a:[k]; CK(mx==n);
 CK((a:[0]==1? b[3]:[n-1] : -1)==3*(n-1)); CK(f[1][2]:[n-1]==n-1);
 int i=0; while(i<n && a:[i]<=n) i++; CK(i==n);
 switch(a:[0]){case 1: break; default: CK(0);} 
 int arr[2]={a:[0],a:[n-1]}; CK(arr[1]==n);
 printf("%s",a:[0]+0?"":"x"); CK(b[a:[0]]:[n-1]==n-1); xmp_sync_all(NULL); b[1]:[me]=b[2]:[me]=4; CK(b[1]==4&&b[2]==4);
 int ar2[10]; ar2[0:N]=b[0:N]:[(me+1)%n]; ar2[:]=ar2[:]+1; 
 xmp_sync_all(NULL); return bad; }
