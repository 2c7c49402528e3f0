/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 1 2 3 4 6 8 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
int x:[*], y[4]:[*];
int main(void){
 int n=xmp_num_images(), h=(n+1)/2, e=0, s, me=xmpc_all_node_num();
 x=me;
 xmp_sync_all(&s);
#pragma xmp task on p(1:h)
 {
   if(xmp_num_images()!=h) e=1;
   if(xmpc_this_image()!=me) e=2;
 }
#pragma xmp task on p(h:n)
 {
   if(xmp_num_images()!=n-h+1) e=3;
   if(xmpc_this_image()!=me-h+1) e=4;
   if(x:[n-1]!=n-1) e=5;
   xmp_sync_all(&s);
 }
 if(e) { printf("ERROR %d\n",e); }
 return e;
}
