/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
typedef struct { double x, y, z; int id; char tag[5]; } particle;
#define NP 50
#pragma xmp nodes p[*]
#pragma xmp template t[NP]
#pragma xmp distribute t[block] onto p
particle ps[NP], qs[NP];
#pragma xmp align [i] with t[i] :: ps, qs
#pragma xmp shadow ps[2]
particle img[3]:[*];
particle one, arr[4];
int main(void){
  int i, err = 0, me = xmpc_this_image(), n = xmp_num_images();
#pragma xmp loop on t[i]
  for(i=0;i<NP;i++){ ps[i].x=i; ps[i].y=2*i; ps[i].z=3*i; ps[i].id=i; ps[i].tag[0]='a'+i%26; }
#pragma xmp reflect(ps)
#pragma xmp loop on t[i]
  for(i=2;i<NP-2;i++){ if(ps[i+2].id!=i+2||ps[i-2].tag[0]!='a'+(i-2)%26||ps[i-1].z!=3*(i-1)) err=1; }
#pragma xmp gmove
  qs[:] = ps[:];
#pragma xmp loop on t[i]
  for(i=0;i<NP;i++) if(qs[i].y!=2*i) err=2;
#pragma xmp gmove
  one = ps[NP-1];
  if(one.id!=NP-1) err=3;
  one.id = me;
#pragma xmp bcast(one) from p[n-1]
  if(one.id!=n-1) err=4;
  for(i=0;i<4;i++) arr[i].id=me*10+i;
#pragma xmp bcast(arr[1:2]) from p[0]
  if(arr[1].id!=1||arr[2].id!=2||arr[0].id!=me*10||arr[3].id!=me*10+3) err=5;
  img[0].id = 100+me; img[1].x = me*0.5;
  xmp_sync_all(NULL);
  if(img[0]:[(me+1)%n].id != 100+(me+1)%n) err=6;
  one = img[1]:[n-1];
  if(one.x != (n-1)*0.5) err=7;
  xmp_sync_all(NULL);
  img[2]:[(me+1)%n] = arr[1];
  xmp_sync_all(NULL);
  if(img[2].id!=1) err=8;
  arr[0:2] = img[0:2]:[0];
  if(arr[0].id!=100) err=9;
  xmp_sync_all(NULL);
#pragma xmp reduction(max:err)
  if(err) printf("ERROR %d\n",err);
  return err;
}
