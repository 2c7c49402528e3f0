/* SPDX-License-Identifier: Apache-2.0 */
/* Alignments that permute, shift and leave out dimensions. */
/* RANKS: 1 2 4 6 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#define N 8
#pragma xmp nodes p[*]
#pragma xmp template t[2*N][N], v[N]
#pragma xmp distribute t[block][*] onto p
int a[N][N],b[N][N],c[N],d[N][N][2],e[2][N];
#pragma xmp align a[i][j] with t[j+2][i]
#pragma xmp align b[:][*] with t[:][*]
#pragma xmp align d[i][*][*] with t[i+N-1][*]
int main(void){ int s=0;
#pragma xmp loop (i,j) on t[j+2][i]
 for(int i=0;i<N;i++) for(int j=0;j<N;j++) a[i][j]=i*10+j;
#pragma xmp loop (i) on t[i][*]
 for(int i=0;i<N;i++) for(int j=0;j<N;j++) b[i][j]=i*10+j;
#pragma xmp loop (i) on t[i+N-1][*]
 for(int i=0;i<N;i++) d[i][3][1]=i;
#pragma xmp loop on t[i+N-1][*] reduction(+:s)
 for(int i=0;i<N;i++) s+=d[i][3][1];
 CHECK(s==28);
#pragma xmp gmove
 b[:][:]=a[:][:];
#pragma xmp loop (i) on t[i][*]
 for(int i=0;i<N;i++) for(int j=0;j<N;j++) CHECK(b[i][j]==i*10+j);
 return failed; }
