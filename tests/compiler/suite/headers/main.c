/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#include "field.h"
int main(void){
  setup(); step(3); double r=norm();
  if(xmp_node_num()==1) printf("%s\n", r==EXPECT?"PASS":"ERROR");
  int k; for(k=0;k<LEN;k++) { double w;
#pragma xmp gmove
   w=field[k];
   if(w!=k+3) { printf("ERROR %d %f\n",k,w); return 1; } }
  return r!=EXPECT;
}
