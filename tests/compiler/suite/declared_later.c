/* SPDX-License-Identifier: Apache-2.0 */
/* distribute and shadow may stand below align. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#define N 12
#pragma xmp nodes p[*]
#pragma xmp template t[N][N]
int g[N][N];
#pragma xmp align g[i][j] with t[i][j]
#pragma xmp distribute t[block][*] onto p
int w=1;
#pragma xmp shadow g[w][2*w]
int main(void){
#pragma xmp template u[N]
 int a[N];
#pragma xmp align a[i] with u[i]
#pragma xmp distribute u[block] onto p
 int w=2;
#pragma xmp shadow a[w:w-1]
#pragma xmp loop on u[i]
 for(int i=0;i<N;i++) a[i]=i;
#pragma xmp reflect(a) width(/periodic/2:1)
#pragma xmp loop on u[i]
 for(int i=0;i<N;i++) CHECK(a[i-2]==(i+N-2)%N&&a[i+1]==(i+1)%N);
#pragma xmp loop on t[i][*]
 for(int i=0;i<N;i++) for(int j=0;j<N;j++) g[i][j]=i*100+j;
#pragma xmp reflect(g) width(/periodic/1,/periodic/2)
#pragma xmp loop on t[i][*]
 for(int i=0;i<N;i++) for(int j=0;j<N;j++) CHECK(g[i-1][j-2]==(i+N-1)%N*100+(j+N-2)%N);
 return failed; }
