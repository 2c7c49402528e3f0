/* SPDX-License-Identifier: Apache-2.0 */
/* Where one node executes an iteration, directives in it are for that node; also in functions. Nodes have unequal numbers of iterations. */
#include <stdio.h>
#include <xmp.h>
#define N 10
#pragma xmp nodes p[*]
#pragma xmp template t[N], c[N]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute c[cyclic] onto p
static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
static int together(int n) {
#pragma xmp reduction(+:n)
 return n;
}
static int deeper(int n) { return together(n) + 1; }
int main(void) {
 int seen = 0, all = xmp_num_nodes();
#pragma xmp loop on t[i]
 for (int i = 0; i < N; i++) {
  int x = i;
#pragma xmp reduction(+:x)
  CHECK(x == i);
#pragma xmp barrier
#pragma xmp bcast(x)
  CHECK(x == i);
 }
#pragma xmp loop on c[i] reduction(+:seen)
 for (int i = 0; i < N; i++) { CHECK(deeper(i) == i + 1); seen++; }
 CHECK(seen == N);
#pragma xmp loop on p[i]
 for (int i = 0; i < all - 1; i++) CHECK(together(3) == 3);
 int who = 0; /* without directives in it a loop leaves the executing nodes as they are */
#pragma xmp loop on t[i]
 for (int i = 0; i < N; i++) who = xmp_num_nodes();
 CHECK(who == 0 || who == all);
 CHECK(together(1) == all);
 return failed;
}
