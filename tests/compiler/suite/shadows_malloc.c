/* SPDX-License-Identifier: Apache-2.0 */
/* The same of pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#define M 10
#pragma xmp nodes p[*]
#pragma xmp template t[:][:]
#pragma xmp distribute t[block][*] onto p
double (*a)[M];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp shadow a[1][1:0]
int main(void){ int n=12;
#pragma xmp template_fix t[n][M]
 a=xmp_malloc(xmp_desc_of(a),n,M);
#pragma xmp loop on t[i][*]
 for(int i=0;i<n;i++) for(int j=0;j<M;j++) a[i][j]=i*100+j;
#pragma xmp reflect(a) width(/periodic/1,/periodic/1:0)
#pragma xmp loop on t[i][*]
 for(int i=0;i<n;i++) for(int j=0;j<M;j++) CHECK(a[i-1][j-1]==(i+n-1)%n*100+(j+M-1)%M);
 xmp_free(xmp_desc_of(a));
 return failed; }
