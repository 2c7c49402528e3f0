/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 4 8 16 */
#include <xmp.h>
#include <stdio.h>
#include <stdlib.h>
#pragma xmp nodes p(4,*)
#pragma xmp nodes q(2,2) = p(1:4,1)
int procs, id, procs2;
int main(void)
{
  int ans_val, val = 0, i, j;
  procs = xmp_num_nodes(); id = xmp_all_node_num();
  procs2 = procs/4;
#pragma xmp task on p(2,1)
  { val = xmp_all_node_num(); if (val != 2) { printf("ERROR a\n"); exit(1);} if (xmp_num_nodes()!=1||xmp_node_num()!=1) exit(2); }
#pragma xmp task on p(:,procs2)
  { int n = xmp_num_nodes(); if (n != 4) { printf("ERROR b\n"); exit(1); } if (xmp_node_num() != (id-1)%4+1) exit(3);
    val = id;
#pragma xmp reduction(max:val)
    if (val != procs) exit(4); }
#pragma xmp task on p(3,:)
  { ans_val = 0; val = id;
    for(i=0;i<procs2;i++) ans_val += 3+4*i;
#pragma xmp reduction(+:val)
    if (ans_val != val) { printf("ERROR c %d %d\n", val, ans_val); exit(1); } }
#pragma xmp task on q(2,1:2)
  { val = id;
#pragma xmp reduction(+:val)
    if(val != 2+4) { printf("ERROR d %d\n", val); exit(1);} }
  val = id;
#pragma xmp reduction(+:val) on p(*,:)
  for(ans_val=0,j=0;j<procs2;j++) ans_val += (id-1)%4+1+4*j;
  if(val!=ans_val) { printf("ERROR e\n"); exit(1); }
  val = id;
#pragma xmp bcast (val) from p(4,1) on p(:,:)
  if(val!=4) { printf("ERROR f\n"); exit(1); }
  val = id;
#pragma xmp bcast (val) from p(4,*) on p(:,*)
  if(val!=(id+3)/4*4) { printf("ERROR g\n"); exit(1); }
#pragma xmp barrier on p(1:2,:)
#pragma xmp barrier
#pragma xmp tasks
  {
#pragma xmp task on p(1,:)
   { val = 1; }
#pragma xmp task on p(2:3,:)
   { val = 2;
#pragma xmp task on p(2,1)
     val = 5;
   }
#pragma xmp task on p(4,1)
   val = 4;
  }
  if (id%4==1 && val!=1) exit(7);
  if (id%4==3 && val!=2) exit(8);
  if (id==2 && val!=5) exit(9);
  if (id==4 && val!=4) exit(10);
#pragma xmp barrier
  if(id==1) printf("PASS\n");
  return 0;
}
