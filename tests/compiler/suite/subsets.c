/* SPDX-License-Identifier: Apache-2.0 */
/* blocks over arrays in tasks on sub-templates with loops inside, distributed onto sub-node sets of different shapes */
/* RANKS: 4 6 8 16 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#pragma xmp nodes pl(2)=p(1:2)
#pragma xmp nodes pr(2)=p(3:4)
#pragma xmp nodes sq(2,2)=p(1:4)
#pragma xmp template tl(0:19)
#pragma xmp template tr(0:19)
#pragma xmp template ts(0:7,0:9)
#pragma xmp distribute tl(block) onto pl
#pragma xmp distribute tr(cyclic(2)) onto pr
#pragma xmp distribute ts(block,cyclic) onto sq
int a[20],b[20],c[10][8];
#pragma xmp align a[i] with tl(i)
#pragma xmp align b[i] with tr(i)
#pragma xmp align c[i][j] with ts(j,i)
#pragma xmp shadow a[1]
int main(void){
 int i,j,s=0,e=0,me=xmp_node_num();
#pragma xmp tasks
 {
#pragma xmp task on pl
  {
#pragma xmp loop on tl(i)
   for(i=0;i<20;i++) a[i]=i;
#pragma xmp reflect(a)
#pragma xmp loop on tl(i) reduction(+:s)
   for(i=1;i<19;i++) s+=a[i-1]+a[i+1];
   if(s!=2*171) e=1;
  }
#pragma xmp task on pr
  {
#pragma xmp loop on tr(i)
   for(i=0;i<20;i++) b[i]=2*i;
#pragma xmp loop on tr(i) reduction(+:s)
   for(i=0;i<20;i++) s+=b[i];
   if(s!=380) e=2;
#pragma xmp barrier
  }
 }
#pragma xmp task on sq
 {
#pragma xmp gmove
  b[0:10]=a[10:10];
#pragma xmp loop (i,j) on ts(j,i)
  for(i=0;i<10;i++) for(j=0;j<8;j++) c[i][j]=i*8+j;
#pragma xmp gmove
  a[0:8]=c[3][0:8];
  s=0;
#pragma xmp loop (i,j) on ts(j,i) reduction(+:s)
  for(i=0;i<10;i++) for(j=0;j<8;j++) s+=c[i][j];
  if(s!=80*79/2) e=3;
#pragma xmp bcast (s) from sq(2,2)
#pragma xmp task on ts(0:3,*)
  { if(xmp_num_nodes()>2) e=4; }
#pragma xmp task on ts(:,0)
  { if(xmp_num_nodes()!=2) e=5; }
 }
 int ga[20],gb[20];
#pragma xmp gmove
 ga[:]=a[:];
#pragma xmp gmove
 gb[:]=b[:];
 for(i=0;i<20;i++) { if(ga[i]!=(i<8?24+i:i)) e=6; if(gb[i]!=(i<10?10+i:2*i)) e=7; }
 s=me;
#pragma xmp reduction(+:s) on sq
 if(me<=4&&s!=10) e=8;
 s=me;
#pragma xmp reduction(+:s) on sq(*,:)
 if(me<=4&&s!=(me%2?4:6)) e=9;
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
