/* SPDX-License-Identifier: Apache-2.0 */
/* xmp_nodes_attr() and xmp_nodes_equiv(). */
/* RANKS: 4 6 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#pragma xmp nodes p[*]
#pragma xmp nodes q[2]=p[0:2]
#pragma xmp nodes r[*]=*
#pragma xmp nodes s[*]=**
int main(void){ int v; 
 xmp_nodes_attr(xmp_desc_of(p),&v); CHECK(v==XMP_ENTIRE_NODES);
 xmp_nodes_attr(xmp_desc_of(q),&v); CHECK(v==XMP_EQUIVALENCE_NODES);
 xmp_nodes_attr(xmp_desc_of(r),&v); CHECK(v==XMP_EXECUTING_NODES);
 xmp_nodes_attr(xmp_desc_of(s),&v); CHECK(v==XMP_PRIMARY_NODES);
 xmp_desc_t d; int lb[1],ub[1],st[1]; CHECK(xmp_nodes_equiv(xmp_desc_of(q),&d,lb,ub,st)==0); CHECK(d==xmp_desc_of(p)); CHECK(lb[0]==1&&ub[0]==2&&st[0]==1);
 CHECK(xmp_nodes_equiv(xmp_desc_of(p),&d,lb,ub,st)<0);
 return failed; }
