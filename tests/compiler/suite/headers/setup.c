/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"
double field[LEN];
void setup(void){ int i;
#pragma xmp loop on t(i)
 for(i=0;i<LEN;i++) field[i]=i;
}
