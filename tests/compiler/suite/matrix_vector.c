/* SPDX-License-Identifier: Apache-2.0 */
/* The matrix-vector product of the specification, in its four forms. */
/* RANKS: 2 4 6 8 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#define N 12
#pragma xmp nodes p[*][2]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][block] onto p
double a[N][N], x[N], w[N];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align x[j] with t[*][j]
#pragma xmp align w[i] with t[i][*]
int main(void){
#pragma xmp loop (i,j) on t[i][j]
 for(int i=0;i<N;i++) for(int j=0;j<N;j++) a[i][j]=i+2*j;
#pragma xmp loop (j) on t[*][j]
 for(int j=0;j<N;j++) x[j]=j;
 double sum;
#pragma xmp loop (i) on t[i][:]
 for(int i=0;i<N;i++){ sum=0;
#pragma xmp loop (j) on t[i][j] reduction(+:sum)
  for(int j=0;j<N;j++) sum+=a[i][j]*x[j];
  w[i]=sum; }
#pragma xmp loop (i) on t[i][:]
 for(int i=0;i<N;i++){ double z=0; for(int j=0;j<N;j++) z+=(i+2*j)*(double)j; CHECK(w[i]==z); CHECK(xmp_num_nodes()==2); }
#pragma xmp loop (i) on t[i][:]
 for(int i=0;i<N;i++){ sum=0;
#pragma xmp loop (j) on t[i][j]
  for(int j=0;j<N;j++) sum+=a[i][j]*x[j];
#pragma xmp reduction(+:sum) on t[i][0:N]
  w[i]=sum; }
#pragma xmp loop (i) on t[i][:]
 for(int i=0;i<N;i++){ double z=0; for(int j=0;j<N;j++) z+=(i+2*j)*(double)j; CHECK(w[i]==z); }
#pragma xmp loop (i) on t[i][:]
 for(int i=0;i<N;i++){ sum=0;
#pragma xmp loop (j) on t[i][j]
  for(int j=0;j<N;j++) sum+=a[i][j]*x[j];
#pragma xmp reduction(+:sum)
  w[i]=sum; }
#pragma xmp loop (i) on t[i][:]
 for(int i=0;i<N;i++){ double z=0; for(int j=0;j<N;j++) z+=(i+2*j)*(double)j; CHECK(w[i]==z); }
#pragma xmp loop (i) on t[i][:]
 for(int i=0;i<N;i++){ sum=0;
#pragma xmp loop (j) on t[i][j]
  for(int j=0;j<N;j++) sum+=a[i][j]*x[j];
  w[i]=sum; }
#pragma xmp reduction(+:w) on t[*][0:N]
#pragma xmp loop (i) on t[i][:]
 for(int i=0;i<N;i++){ double z=0; for(int j=0;j<N;j++) z+=(i+2*j)*(double)j; CHECK(w[i]==z); }
 return failed; }
