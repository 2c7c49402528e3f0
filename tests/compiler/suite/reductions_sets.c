/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions among several sets of nodes at once. */
/* RANKS: 4 6 8 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#define N 12
#pragma xmp nodes p[*][2]
#pragma xmp template t[N][N]
#pragma xmp distribute t[cyclic][block] onto p
int main(void){ int me=xmpc_node_num(),P=xmp_num_nodes(),v; int x[2];
 v=1;
#pragma xmp reduction(+:v) on p[*][:]
 CHECK(v==2); v=1;
#pragma xmp reduction(+:v) on p[:][*]
 CHECK(v==P/2); v=1;
#pragma xmp reduction(+:v) on p[:][1]
 CHECK(v==(me%2?P/2:1)); v=me;
#pragma xmp reduction(max:v) on t[0][:]
 CHECK(v==(me<2?1:me)); v=me;
#pragma xmp reduction(max:v) on t[*][0:N/2]
 CHECK(v==me); v=1; x[0]=1; x[1]=me;
#pragma xmp reduction(+:v,x) on p[0:2][:] async(11)
#pragma xmp wait_async(11) on p[0:2][:]
 CHECK(v==(me<4?4:1)&&x[0]==v&&x[1]==(me<4?6:me));
 v=1;
#pragma xmp task on p[1][:]
 {
#pragma xmp reduction(+:v)
 CHECK(v==2);
#pragma xmp reduction(+:v) on p[1][0]
 CHECK(v==2);
#pragma xmp barrier
#pragma xmp bcast(me) from p[1][1]
 CHECK(me==3);
 }
 return failed; }
