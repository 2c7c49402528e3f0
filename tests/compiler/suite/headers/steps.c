/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"
#include <xmp.h>
void step(int n){ int i,k; for(k=0;k<n;k++){
#pragma xmp reflect(field)
#pragma xmp loop on t(i)
 for(i=0;i<LEN;i++) field[i]+=1; } }
double norm(void){ double s=0; int i;
#pragma xmp loop on t(i) reduction(+:s)
 for(i=0;i<LEN;i++) s+=field[i];
 return s; }
