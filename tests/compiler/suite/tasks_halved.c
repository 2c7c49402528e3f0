/* SPDX-License-Identifier: Apache-2.0 */
/* Nested tasks, tasks in tasks, tasks on templates, nocomm, return and goto out of them, executing nodes inside. */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[100]
#pragma xmp distribute t[block] onto p
static int bad;
#define EXPECT(x) do { if (!(x)) { bad++; printf("line %d node %d\n", __LINE__, xmp_all_node_num()); } } while (0)
static int deep(int n) {
#pragma xmp nodes e[*] = *
    int const size = xmp_num_nodes();
    EXPECT(xmpc_node_num() >= 0 && xmpc_node_num() < size);
    if (size == 1) return n;
    int r = 0;
#pragma xmp tasks
    {
#pragma xmp task on e[0:size / 2]
        { r = deep(n + 1); }
#pragma xmp task on e[size / 2:size - size / 2]
        {
            r = deep(n + 1);
            int s = 1;
#pragma xmp reduction (+:s)
            EXPECT(s == size - size / 2);
        }
    }
#pragma xmp reduction (max:r)
    return r;
}
static int early(int k) {
#pragma xmp task on p[k]
    {
        return 100 + k;
    }
    return 7;
}
int main(void) {
    int const n = xmp_num_nodes(), me = xmpc_node_num();
    int levels = 0;
    for (int k = n; k > 1; k = (k + 1) / 2) levels++;
    EXPECT(deep(0) == levels);
    for (int k = 0; k < n; k++) EXPECT(early(k) == (k == me ? 100 + k : 7));
    int value = me;
#pragma xmp task on t[0:50] nocomm
    { value += 1000; }
    int const w = (100 + n - 1) / n;
    EXPECT(value == (me * w < 50 ? 1000 + me : me));
    int seen = 0;
    for (int k = 0; k < 3; k++) {
#pragma xmp task on t[99 - k]
        {
            if (k == 1) goto next;
            seen++;
#pragma xmp task on *
            seen += 10;
        }
    next:;
    }
    int last = (99 / w) == me, lost = 0;
    (void)last; (void)lost;
#pragma xmp reduction (+:seen)
    EXPECT(seen == 22);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
