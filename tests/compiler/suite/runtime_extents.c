/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define MAXN 17
int n=MAXN;
int a[n][n], b[n];
#pragma xmp nodes p(*)
#pragma xmp template tx(0:n-1,0:n-1)
#pragma xmp distribute tx(block,*) onto p
#pragma xmp align a[i][j] with tx(j,i)
#pragma xmp align b[i] with tx(i,*)
#pragma xmp shadow a[0][1]
int main(){
 int i,j,e=0;
#pragma xmp loop (i,j) on tx(j,i)
 for(i=0;i<n;i++) for(j=0;j<n;j++) a[i][j]=i*n+j;
#pragma xmp loop (j) on tx(j,*)
 for(j=0;j<n;j++) b[j]=j;
#pragma xmp reflect (a) orthogonal
#pragma xmp loop (i,j) on tx(j,i)
 for(i=0;i<n;i++) for(j=1;j<n-1;j++) if(a[i][j-1]+a[i][j+1]!=2*(i*n+j)) e=1;
#pragma xmp array on tx(:,3)
 a[3][:]=b[:];
#pragma xmp gmove
 a[4][:]=b[:];
#pragma xmp loop (j) on tx(j,3)
 for(j=0;j<n;j++) if(a[3][j]!=j||a[4][j]!=j) e=2;
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
