/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_shadow with width, orthogonal and async. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#define N 16
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N],b[N];
#pragma xmp align [i] with t[i] :: a,b
#pragma xmp shadow [1:2] :: a,b
int main(void){ int P=xmp_num_nodes();
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) a[i]=b[i]=100;
 int lo=-1,hi=-1;
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) { if(lo<0) lo=i; hi=i; }
 if(lo>=0){ a[lo-1]=1; a[hi+1]=10; a[hi+2]=20; b[lo-1]=1;b[hi+1]=10;b[hi+2]=20; }
#pragma xmp reduce_shadow(a) width(/periodic/1:2) async(7)
#pragma xmp wait_async(7)
 if(lo>=0 && P<=4 && N%P==0){ CHECK(a[lo]==100+10); CHECK(a[lo+1]==100+20); CHECK(a[hi]==(hi==lo+1?121:101)); }
#pragma xmp reduce_shadow(b) width(1:0) orthogonal
 if(lo>=0 && P<=4 && N%P==0){ CHECK(b[lo]==100); CHECK(b[hi]==(hi==N-1?100:101)); }
 return failed; }
