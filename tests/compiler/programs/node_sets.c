/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of nodes: several in one directive, parts in another shape, steps, `*` for the own index, the nodes of a task. */
#include <stdio.h>
#include <xmp.h>

#pragma xmp nodes p[*], all(*)
#pragma xmp nodes g[*][*], row[*] = g[*][:]
#pragma xmp template t[24], u(0 : 23, 0 : 5)
#pragma xmp distribute t[block] onto p
#pragma xmp distribute u(*, cyclic) onto all

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_all_node_num(), xmp_all_num_nodes(), what);
        failures++;
    }
}

static void in_a_task(int count) {
#pragma xmp nodes mine[*] = *, whole(*) = **
    int size = 0;
    xmp_nodes_size(xmp_desc_of(mine), 1, &size);
    expect(size == count, "nodes = *");
    xmp_nodes_size(xmp_desc_of(whole), 1, &size);
    expect(size == xmp_all_num_nodes(), "nodes = **");
    int attr = 0;
    xmp_nodes_attr(xmp_desc_of(whole), &attr);
    expect(attr == XMP_PRIMARY_NODES, "the attribute of = **");
#pragma xmp template v[40]
#pragma xmp distribute v[block] onto mine
    int x[40];
#pragma xmp align x[i] with v[i]
#pragma xmp shadow x[1]
    int sum = 0;
#pragma xmp loop on v[i]
    for (int i = 0; i < 40; i++) x[i] = i;
#pragma xmp reflect(x)
#pragma xmp loop on v[i] reduction(+ : sum)
    for (int i = 1; i < 39; i++) sum += x[i - 1] + x[i + 1];
    int wanted = 0;
    for (int i = 1; i < 39; i++) wanted += 2 * i;
    expect(sum == wanted, "an array of a task's nodes");
}

int main(void) {
    int const n = xmp_num_nodes(), me = xmpc_node_num();
    /* Every second one. */
    int in = 0;
#pragma xmp task on p[0 : (n + 1) / 2 : 2]
    in = xmp_num_nodes();
    expect(in == (me % 2 == 0 ? (n + 1) / 2 : 0), "nodes with a step, in square brackets");
    in = 0;
#pragma xmp task on all(1 : n : 3)
    in = xmp_num_nodes();
    expect(in == (me % 3 == 0 ? (n + 2) / 3 : 0), "nodes with a step, in round brackets");
    in = 0;
#pragma xmp task on t[0 : 2 : 23] nocomm
    in = 1;
    int const last = 23 / ((24 + n - 1) / n);
    expect(in == (me == 0 || me == last), "a template with a step");
    in = 0;
#pragma xmp task on u(*, 1 : 5 : 2) nocomm
    in = 1;
    expect(in == (n == 1 || (n % 2 == 1 ? me == 1 || me == 3 % n || me == 5 % n : me % 2 == 1 && me < 6)),
           "a cyclic template with a step");

    /* As many rows and columns as the nodes make. */
    int rows = 0, columns = 0, x = 0, y = 0;
    xmp_nodes_size(xmp_desc_of(g), 1, &columns);
    xmp_nodes_size(xmp_desc_of(g), 2, &rows);
    expect(rows * columns == n, "nodes of two dimensions");
    xmpc_nodes_index(xmp_desc_of(g), 1, &x);
    xmpc_nodes_index(xmp_desc_of(g), 2, &y);
    expect(y * columns + x == me, "my place among them");
    int sum = me;
#pragma xmp reduction(+ : sum) on g[:][*]
    int wanted = 0;
    for (int r = 0; r < rows; r++) wanted += r * columns + x;
    expect(sum == wanted, "a reduction along a column");
    sum = me;
#pragma xmp reduction(+ : sum) on g[*][:]
    wanted = 0;
    for (int c = 0; c < columns; c++) wanted += y * columns + c;
    expect(sum == wanted, "a reduction along a row");
    int from = me;
#pragma xmp bcast(from) from g[*][0] on g[*][:]
    expect(from == y * columns, "bcast along a row");
#pragma xmp barrier on g[*][:]
    in = 0;
#pragma xmp task on g[*][:]
    {
        in = xmp_num_nodes();
        in_a_task(columns);
    }
    expect(in == columns, "a task of each row");

    /* Nodes of which each row has its own. */
    {
#pragma xmp template v[12]
#pragma xmp distribute v[block] onto row
        int z[12], seen = 0;
#pragma xmp align z[i] with v[i]
#pragma xmp shadow z[1]
#pragma xmp loop on v[i]
        for (int i = 0; i < 12; i++) z[i] = 100 * y + i;
#pragma xmp reflect(z)
#pragma xmp loop on v[i] reduction(+ : seen)
        for (int i = 0; i < 11; i++) seen += z[i + 1] - 100 * y;
        expect(seen == 66, "an array of each row");
    }
    /* They in another shape. */
    if (n % 2 == 0) {
#pragma xmp nodes half[2][n / 2] = p[0 : n]
        int across = me;
#pragma xmp reduction(+ : across) on half[:][*]
        expect(across == (me < n / 2 ? 2 * me + n / 2 : 2 * me - n / 2), "nodes in another shape");
    }
#pragma xmp task on p[0 : (n + 1) / 2]
    in_a_task((n + 1) / 2);

    /* What a variable held before a loop counts once. */
    int started = 100, odd = 5;
    double scaled = 2;
#pragma xmp loop on t[i] reduction(+ : started) reduction(^ : odd) reduction(* : scaled)
    for (int i = 0; i < 24; i++) {
        started += i;
        odd ^= i;
        if (i % 12 == 0) scaled *= 3;
    }
    int bits = 5;
    for (int i = 0; i < 24; i++) bits ^= i;
    expect(started == 100 + 276 && odd == bits && scaled == 18, "a reduction of what was there before");
    return failures != 0;
}
