// SPDX-License-Identifier: Apache-2.0
// In a task x:[k] counts the executing nodes; `coarray on` counts those of a node array.
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
int s:[*], a:[*];
#pragma xmp coarray on p :: s
int main(void){
  int n=xmp_num_images(), me=xmpc_this_image();
  s=100+me; a=200+me; xmp_sync_all(NULL);
  if(n>=4){
#pragma xmp task on p[2:2]
  {
    int q=xmpc_this_image();
    CK(xmp_num_images()==2);
    CK(a:[q]==200+me);
    CK(a:[1-q]==200+2+(1-q));
    CK(s:[0]==100); CK(s:[n-1]==100+n-1);
    xmp_sync_all(NULL);
    a:[1-q]=300+me; xmp_sync_all(NULL);
    CK(a==300+2+(1-q));
    xmp_sync_image(1-q,NULL);
    xmp_sync_images_all(NULL);
  }
  }
#pragma xmp image(p)
  xmp_sync_all(NULL);
  return bad; }
