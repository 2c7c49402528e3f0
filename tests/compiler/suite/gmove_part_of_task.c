/* SPDX-License-Identifier: Apache-2.0 */
/* gmove in a task on half of the nodes that have the arrays: block and cyclic, conversion, overlap, async, one value. */
#include <stdio.h>
#include <xmp.h>
#define N 24
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic(2)] onto p
int a[N],b[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with c[i]
int main(void){
  int np=xmp_num_nodes(), bad=0, w=(N+np-1)/np;
#pragma xmp loop on t[i]
  for(int i=0;i<N;i++){a[i]=i;}
#pragma xmp loop on c[i]
  for(int i=0;i<N;i++){b[i]=-i;}
  int half=(np+1)/2, first=half*w<N?half*w:N;
#pragma xmp task on p[0:half]
  {
    int x[N]; double y[N];
#pragma xmp gmove
    x[0:first]=a[first-1:first:-1];
    for(int i=0;i<first;i++) bad+= x[i]!=first-1-i;
#pragma xmp gmove
    y[0:first]=a[0:first];
    for(int i=0;i<first;i++) bad+= y[i]!=i;
#pragma xmp gmove
    b[0:2*half>N?N:2*half:1]=a[0:2*half>N?N:2*half];
#pragma xmp gmove async(3)
    a[1:first-1]=a[0:first-1];
#pragma xmp wait_async(3)
#pragma xmp gmove
    x[0]=a[first-1];
    bad+=x[0]!=(first>1?first-2:0);
#pragma xmp gmove
    a[0:(first+1)/2:2]=7;
  }
  int all[N];
#pragma xmp gmove
  all[:]=a[:];
  for(int i=0;i<N;i++) bad += all[i]!=(i<first ? (i%2==0?7: i-1):i);
#pragma xmp gmove
  all[:]=b[:];
  for(int i=0;i<N;i++) bad += all[i]!=(i<2*half? i:-i);
  if(bad) printf("bad %d\n",bad);
  return bad!=0;
}
