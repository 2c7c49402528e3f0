/* SPDX-License-Identifier: Apache-2.0 */
/* task, barrier, bcast, reduction, and nodes of several kinds. */
#include <stdio.h>
#include <string.h>
#include <xmp.h>

#pragma xmp nodes p[*]
#pragma xmp nodes first[1] = p[0 : 1]
#pragma xmp nodes r(*)
#pragma xmp template t[24]
#pragma xmp distribute t[block] onto p

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_all_node_num(), xmp_all_num_nodes(), what);
        failures++;
    }
}

static int early(int x) {
#pragma xmp task on p[0]
    {
        if (x > 0) return x;
    }
    return 0;
}

int main(void) {
    int const me = xmpc_node_num(), all = xmp_num_nodes();
    expect(xmp_node_num() == me + 1 && xmpc_all_node_num() == me && xmp_all_num_nodes() == all, "numbers");
    int where = -1, count = -1;
#pragma xmp task on p[all - 1]
    {
        where = xmpc_node_num();
        count = xmp_num_nodes();
        expect(xmpc_all_node_num() == all - 1 && xmp_all_num_nodes() == all, "all nodes, in a task");
    }
    expect(me == all - 1 ? where == 0 && count == 1 : where == -1, "a task on one node");
    expect(xmp_num_nodes() == all, "after a task");
    int sum = me;
#pragma xmp task on p[0 : (all + 1) / 2]
    {
#pragma xmp barrier
#pragma xmp reduction(+ : sum)
        ;
    }
    int const half = (all + 1) / 2;
    expect(sum == (me < half ? half * (half - 1) / 2 : me), "a reduction in a task");
    expect(early(3) == (me == 0 ? 3 : 0), "a return from a task");
    expect(xmp_num_nodes() == all, "after a return from a task");
    int in = 0;
#pragma xmp task on t[0 : 24] nocomm
    in = 1;
    expect(in == 1, "a task on a whole template");
    in = 0;
#pragma xmp task on r(1)
    in = xmp_node_num();
    expect(in == (me == 0 ? 1 : 0), "nodes in round brackets begin at 1");
#pragma xmp tasks
    {
#pragma xmp task on p[0]
        in = 5;
#pragma xmp task on p[all - 1]
        in = 6;
    }
    expect(in == (me == all - 1 ? 6 : me == 0 ? 5 : 0), "tasks");

    double x = me + 0.5, list[6] = {me, me, me, me, me, me};
    char text[16] = "";
    if (me == all - 1) strcpy(text, "from the last");
#pragma xmp bcast(x)
    expect(x == 0.5, "bcast from the first node");
#pragma xmp bcast(text, list [2:3]) from p[all - 1]
    expect(strcmp(text, "from the last") == 0, "bcast of an array");
    for (int i = 0; i < 6; i++) expect(list[i] == (i >= 2 && i < 5 ? all - 1 : me), "bcast of a section");
    int on = me;
#pragma xmp bcast(on) from p[0] on first
    expect(on == me, "bcast among one");
#pragma xmp barrier on p
#pragma xmp barrier

    int most = me, least = me - 3, bits = 1 << me, both = me != 0;
    long product = me + 1;
    float each[3] = {1, 2, 3};
#pragma xmp reduction(MAX : most)
#pragma xmp reduction(min : least) on p
#pragma xmp reduction(| : bits)
#pragma xmp reduction(&& : both)
#pragma xmp reduction(* : product)
#pragma xmp reduction(+ : each)
    long factorial = 1;
    for (int i = 1; i <= all; i++) factorial *= i;
    expect(most == all - 1 && least == -3 && bits == (1 << all) - 1 && both == 0 && product == factorial, "reductions");
    expect(each[0] == (float)all && each[2] == 3.F * (float)all, "a reduction of an array");
    int fours[4] = {me, me, me, me};
#pragma xmp reduction(+ : fours [1:2])
    expect(fours[0] == me && fours[1] == all * (all - 1) / 2 && fours[2] == fours[1] && fours[3] == me, "a reduction of a section");

    // Sections of several dimensions, also those that do not lie together in memory.
    int table[3][4][2], column[4][3];
    for (int k = 0; k < 24; k++) (&table[0][0][0])[k] = 100 * me + k;
    for (int k = 0; k < 12; k++) column[k / 3][k % 3] = 1;
#pragma xmp bcast(table [1:2][:]) from p[all - 1]
#pragma xmp bcast(table[0] [1:2][1]) from p[0] async(4)
#pragma xmp wait_async(4)
    for (int k = 0; k < 24; k++) {
        int const from = k >= 8 ? all - 1 : k == 3 || k == 5 ? 0 : me;
        expect((&table[0][0][0])[k] == 100 * from + k, "bcast of a part of a table");
    }
#pragma xmp reduction(+ : column[:][1], column [0:2:2] [0:1])
#pragma xmp loop(i) on t[i] reduction(+ : column[:][2])
    for (int i = 0; i < 24; i++) column[i % 4][2]++;
    for (int k = 0; k < 12; k++)
        expect(column[k / 3][k % 3] == (k % 3 == 2 ? 7 : k % 3 == 1 || k == 0 || k == 6 ? all : 1), "a reduction of columns");

    float open[5][6];
    for (int k = 0; k < 30; k++) open[k / 6][k % 6] = 1;
#pragma xmp reduction(+ : open[0] [4:])
    for (int k = 0; k < 30; k++)
        expect(open[k / 6][k % 6] == (k == 4 || k == 5 ? (float)all : 1.F), "a reduction of all that follows");

    // On nodes: iteration i is node i's.
    int mine = -1, mine1 = -1;
#pragma xmp loop(i) on p[i]
    for (int i = 0; i < all; i++) mine = i;
#pragma xmp loop(i) on r(i)
    for (int i = 1; i <= all; i++) mine1 = i;
    expect(mine == me && mine1 == me + 1, "a loop on nodes");
    return failures != 0;
}
