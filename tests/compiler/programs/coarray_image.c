// SPDX-License-Identifier: Apache-2.0
// The directive image: synchronisations between tasks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
#pragma xmp nodes p[*]
int s:[*], a:[*], b:[*];
#pragma xmp coarray on p :: s
static void subA(void){ /* p[0:2] */
  int k[2]={2,3};
  a=10+xmpc_all_node_num();
  if (xmpc_this_image()==0)
#pragma xmp image(p)
    xmp_sync_images(2,k,NULL);
  else
    xmp_sync_memory(NULL);
  xmp_sync_all(NULL);
  if (xmpc_this_image()==0) CK(s:[0]==2*10+2);
  CK(a:[1]==11);
}
static void subB(void){ /* p[2:2] */
  int me=xmpc_this_image();
  b=20+xmpc_all_node_num();
  xmp_sync_all(NULL);
  if(me==0) s:[0]=b;
  xmp_sync_all(NULL);
#pragma xmp image(p)
  xmp_sync_image(0,NULL);
  CK(b:[1]==23);
}
int main(void){
 int n=xmp_all_num_nodes();
 if(n>=4){
#pragma xmp tasks
 {
#pragma xmp task on p[0:2]
  subA();
#pragma xmp task on p[2:2]
  subB();
 }
#pragma xmp task on p[1:n-1]
 {
#pragma xmp image(p)
   xmp_sync_images_all(NULL);
 }
 if(xmpc_all_node_num()==0) {
#pragma xmp image(p)
   xmp_sync_images_all(NULL); }
 } return bad; }
