// SPDX-License-Identifier: Apache-2.0
// Numbers of images in the program and in a task.
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

int main(void){ int n=xmp_num_images();
 if(n>=4){
#pragma xmp nodes r[2]=p[2:2]
 int in[2]={0,1}, out[2];
 xmp_get_primary_image_index(2,in,out,xmp_desc_of(r)); CK(out[0]==2&&out[1]==3);
#pragma xmp task on p[2:2]
 { int i2[3]={2,3,0}, o[3]; xmp_get_image_index(3,i2,o,xmp_desc_of(p)); CK(o[0]==0&&o[1]==1&&o[2]==-1); }
 } return bad; }
