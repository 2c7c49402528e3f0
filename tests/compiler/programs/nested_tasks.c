/* SPDX-License-Identifier: Apache-2.0 */
/* task in task, tasks, return out of them, bcast from a part of the nodes. */
#include <stdio.h>
#include <xmp.h>

static int failures;

static void expect(int ok, int line) {
    if (!ok) {
        printf("node %d of %d: line %d\n", xmp_all_node_num(), xmp_all_num_nodes(), line);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

#pragma xmp nodes p[*]
#pragma xmp nodes w[*]
#pragma xmp template t[40]
#pragma xmp distribute t[block] onto p
int a[40];
#pragma xmp align a[i] with t[i]
static int g(int x) {
#pragma xmp task on p[0]
    {
        if (x > 3) return 7;
        x += 10;
    }
    return x;
}

int main(void) {
    int n = xmp_num_nodes(), me = xmpc_node_num(), c = 0, d = 0;
#pragma xmp tasks
    {
#pragma xmp task on p[0:(n+1)/2]
        {
            c = xmp_num_nodes();
#pragma xmp nodes q[*] = *
#pragma xmp task on q[0]
            { d = xmp_num_nodes(); EXPECT(xmp_node_num() == 1); }
#pragma xmp barrier
            int s = 1;
#pragma xmp reduction(+:s)
            EXPECT(s == (n + 1) / 2);
#pragma xmp bcast (s) from q[0] on q
        }
#pragma xmp task on p[(n+1)/2:n-(n+1)/2]
        { c = -xmp_num_nodes(); }
    }
    EXPECT(c == (me < (n+1)/2 ? (n+1)/2 : -(n - (n+1)/2)));
    EXPECT(d == (me == 0));
    EXPECT(g(1) == (me == 0 ? 11 : 1)); EXPECT(g(5) == (me == 0 ? 7 : 5));
    EXPECT(xmp_num_nodes() == n);
    int in = 0;
#pragma xmp task on t[10:20]
    { in = 1;
      int k = xmp_num_nodes(); (void)k;
#pragma xmp loop (i) on t[i]
      for (int i = 10; i < 30; i++) a[i] = i;
    }
#pragma xmp loop (i) on t[i]
    for (int i = 10; i < 30; i++) { EXPECT(a[i] == i); EXPECT(in == 1); }
    for (int k = 0; k < n; k++) {
#pragma xmp task on p[k] nocomm
        if (me == k) in = 100 + k; else in = -1;
    }
    EXPECT(in == 100 + me);
#pragma xmp task on p(1:n)
    {
#pragma xmp task on p(n)
    { in = 5; }
    }
    EXPECT(in == (me == n - 1 ? 5 : 100 + me));
    int x = me;
#pragma xmp task on p[0:n]
#pragma xmp bcast (x) from p[n-1]
    EXPECT(x == n - 1);
    x = me;
#pragma xmp bcast (x) from p[0:1]
    EXPECT(x == 0);
    x = me + 1;
#pragma xmp nodes h[(n+1)/2] = p[0:(n+1)/2]
#pragma xmp bcast (x) from h[0] on h
    EXPECT(x == (me < (n+1)/2 ? 1 : me + 1));
    x = me + 1;
#pragma xmp bcast (x) from t[39] on p
    EXPECT(x >= 1);

    return failures != 0;
}
