/* SPDX-License-Identifier: Apache-2.0 */
/* xmp_malloc'd everything, runtime templates in functions, arrays in structs by pointers, library calls on malloc'ed arrays */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
static int solve(int n)
{
#pragma xmp template t[:]
#pragma xmp distribute t[block] onto p
#pragma xmp template_fix t[n]
 double *v, *w; int *k; int i, bad=0;
#pragma xmp align v[i] with t[i]
#pragma xmp align w[i] with t[i]
#pragma xmp align k[i] with t[i]
#pragma xmp shadow v[1]
 v=(double*)xmp_malloc(xmp_desc_of(v),n);
 w=(double*)xmp_malloc(xmp_desc_of(w),n);
 k=(int*)xmp_malloc(xmp_desc_of(k),n);
#pragma xmp loop on t[i]
 for(i=0;i<n;i++) { v[i]=(i*7)%n; w[i]=0; k[i]=(i+1)%n; }
#pragma xmp reflect (v) width(/periodic/1)
 xmp_gather(w[:],v[:],k[:]);
#pragma xmp loop on t[i] reduction(+:bad)
 for(i=0;i<n;i++) { if(w[i]!=((i+1)%n*7)%n) bad++; if(v[i+1]!=w[i]) bad++; }
 xmp_sort_up(w[:],v[:]);
#pragma xmp loop on t[i] reduction(+:bad)
 for(i=0;i<n;i++) if(n%7&&w[i]!=i) bad++;
 xmp_free(xmp_desc_of(v)); xmp_free(xmp_desc_of(w)); xmp_free(xmp_desc_of(k));
 return bad;
}
int main(void){ int n,e=0; for(n=1;n<60;n+=9) e+=solve(n);
 if(e) printf("ERROR %d\n",e);
 return e!=0; }
