/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of template_fix in one bracket. */
/* RANKS: 2 4 6 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#pragma xmp nodes p[*][2]
#pragma xmp template t[:][:]
#pragma xmp distribute t[block][cyclic] onto p
int N1=10,N2=8;
int main(void){
#pragma xmp template_fix[block,cyclic] t[N1][N2]
 int c=0;
#pragma xmp loop (i,j) on t[i][j] reduction(+:c)
 for(int i=0;i<N1;i++) for(int j=0;j<N2;j++) c++;
 CHECK(c==80);
 return failed; }
