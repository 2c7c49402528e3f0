/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 1 2 3 4 6 8 16 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
int random_array[100], ans_val;
int main(void){
   int procs = xmp_num_nodes(), i, j, sz, result=0;
   srand(0);
   for(i=0;i<100;i++) random_array[i] = rand() % 1000000;
   for(i=0;i<100;i++) {
     if(i%10==0){
      int val = 0; double d = 1.0; long long big = 0; unsigned char c = 0;
      for(j=0;j<=procs;j++) if (j+1==xmp_node_num()) { val = random_array[j]; d = 2.0; big = 1LL<<40; c = 1<<(j%8); }
#pragma xmp reduction(+:val, big)
#pragma xmp reduction(*:d) on p(:)
#pragma xmp reduction(|:c) on p
      ans_val = 0; for(j=0;j<procs;j++) ans_val += random_array[j];
      if(val!=ans_val) result=-1;
      if(d != (double)(1<<procs)) result=-2;
      if(big != (procs*1LL<<40)) result=-3;
      if(c != (procs>=8?255:(1<<procs)-1)) result=-4;
     }
   }
   for(sz=1; sz<=procs; sz++){
     int v = xmp_node_num(), w = v;
#pragma xmp reduction(max:v) on p(1:sz)
#pragma xmp reduction(MIN:w) on p(sz:procs)
     if(xmp_node_num()<=sz && v!=sz) result=-5;
     if(xmp_node_num()>=sz && w!=sz) result=-6;
   }
#pragma xmp reduction(min:result)
#pragma xmp task on p(1)
   if(result==0) printf("PASS\n"); else { printf("ERROR %d\n", result); exit(1); }
   return 0;
}
