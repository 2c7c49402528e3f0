/* SPDX-License-Identifier: Apache-2.0 */
/* Which nodes execute the tasks of `tasks` is asked before the first one begins. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#pragma xmp nodes p[*]
int main(void){ int P=xmp_num_nodes(); int k=0; int ran=0;
#pragma xmp tasks
 {
#pragma xmp task on p[k]
 { k=P-1; ran+=1; CHECK(xmp_all_node_num()==1); }
#pragma xmp task on p[k]
 { ran+=10; CHECK(xmp_all_node_num()==1); }
 }
 CHECK(ran==(xmp_all_node_num()==1?11:0));
 return failed; }
