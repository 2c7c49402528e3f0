/* SPDX-License-Identifier: Apache-2.0 */
/* bcast with and without from, to several sets at once. */
/* RANKS: 2 4 6 8 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#define N 12
#pragma xmp nodes p[*][2]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][block] onto p
int main(void){ int v; int me=xmpc_node_num();
 v=me;
#pragma xmp bcast(v)
 CHECK(v==0);
 v=me;
#pragma xmp bcast(v) on p[:][1]
 CHECK(v==(me%2==1?1:me));
 v=me;
#pragma xmp bcast(v) from p[0][1]
 CHECK(v==1);
 v=me;
#pragma xmp bcast(v) from t[N-1][N-1] on t[:][N-1]
 CHECK(v==(me%2==1?xmp_num_nodes()-1:me));
 v=me;
#pragma xmp bcast(v) from t[N-1][0] on t
 CHECK(v==xmp_num_nodes()-2);
 v=me;
#pragma xmp bcast(v) on t[*][:]
 CHECK(v==me/2*2);
 v=me;
#pragma xmp bcast(v) from p[*][1] on p[*][:]
 CHECK(v==me/2*2+1);
 v=me;
#pragma xmp bcast(v) from p[*][1] on p[*][:] async(3)
#pragma xmp wait_async(3) on p[*][:]
 CHECK(v==me/2*2+1);
#pragma xmp wait_async(99)
#pragma xmp wait_async(1,2,3,4)
#pragma xmp barrier on p[*][:]
#pragma xmp barrier on t[*][:]
#pragma xmp barrier on t
#pragma xmp barrier on **
 return failed; }
