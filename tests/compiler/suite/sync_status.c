// SPDX-License-Identifier: Apache-2.0
// The constants of xmp.h, and what synchronisations store.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
int x:[*];
int main(void){
  int s=-1; xmp_sync_all(&s); CK(s==XMP_STAT_SUCCESS);
  s=-1; xmp_sync_memory(&s); CK(s==XMP_STAT_SUCCESS);
  s=-1; xmp_sync_image((xmpc_this_image()^1)<xmp_num_images()?xmpc_this_image()^1:xmpc_this_image(),&s); CK(s==XMP_STAT_SUCCESS);
  s=-1; xmp_sync_images_all(&s); CK(s==XMP_STAT_SUCCESS);
  CK(XMP_STAT_STOPPED_IMAGE!=XMP_STAT_SUCCESS);
  CK(XMP_STAT_LOCKED!=XMP_STAT_UNLOCKED);
  CK(XMP_STAT_LOCKED_OTHER_IMAGE!=XMP_STAT_UNLOCKED);
  return bad; }
