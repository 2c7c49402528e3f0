/* SPDX-License-Identifier: Apache-2.0 */
/* The same of arrays of a function, whose extents are variables. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#pragma xmp nodes p[*]
void f(int n,int m){
#pragma xmp template t[n][m]
#pragma xmp distribute t[*][block] onto p
 double a[n][m],b[n][m];
#pragma xmp align [i][j] with t[i][j] :: a,b
#pragma xmp shadow a[2][1]
#pragma xmp shadow b[2][1]
#pragma xmp loop on t[*][j]
 for(int j=0;j<m;j++) for(int i=0;i<n;i++) a[i][j]=i*100+j;
#pragma xmp reflect(a) width(/periodic/2,/periodic/1)
#pragma xmp loop on t[*][j]
 for(int j=0;j<m;j++) for(int i=0;i<n;i++) { b[i][j]=a[i-2][j-1]+a[i+2][j+1]; CHECK(b[i][j]==(i+n-2)%n*100+(j+m-1)%m+(i+2)%n*100+(j+1)%m); }
#pragma xmp reflect_init(b) width(/periodic/1,1)
#pragma xmp reflect_do(b)
}
int main(void){ f(8,12); f(12,12); return failed; }
