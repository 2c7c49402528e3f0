/* SPDX-License-Identifier: Apache-2.0 */
/* gmove: plans that are kept, one value for many elements, memory of each rank, moves and reductions that go on. */
#include <stdio.h>
#include <xmp.h>

#define N 30
#pragma xmp nodes p[*]
#pragma xmp nodes g[*][*]
#pragma xmp template t[N]
#pragma xmp template u[N]
#pragma xmp template two[N][N]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute u[cyclic(2)] onto p
#pragma xmp distribute two[cyclic][block] onto g
static int a[N], b[N];
static double m[N][N], row[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with u[i]
#pragma xmp align m[i][j] with two[i][j]
#pragma xmp align row[j] with two[*][j]

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
        failures++;
    }
}

static void wanted(int from, int count, int offset, char const* what) {
    int wrong = 0;
#pragma xmp loop on u[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += i >= from && i < from + count && b[i] != i - from + offset;
    expect(wrong == 0, what);
}

int main(void) {
    int const n = xmp_num_nodes(), me = xmpc_node_num();
    int mine[N], shifted[N + 4], one = 0;
    for (int round = 0; round < 5; round++) {
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) a[i] = 100 * round + i;
#pragma xmp gmove
        b[:] = a[:];
        wanted(0, N, 100 * round, "block to cyclic, again and again");
        int local[N];
#pragma xmp gmove
        local[:] = b[:];
        int same = 1;
        for (int i = 0; i < N; i++) same = same && local[i] == 100 * round + i;
        expect(same, "memory of each rank, again and again");
        /* As many kinds as are not kept. */
        for (int k = 1; k < 40 && k < N; k++) {
#pragma xmp gmove
            b[0 : N - k] = a[k : N - k];
            wanted(0, N - k, 100 * round + k, "a shift");
        }
    }
#pragma xmp gmove
    shifted[2:N:1] = a[:];
    expect(shifted[2] == 400 && shifted[N + 1] == 400 + N - 1, "to a part of a rank's memory");
#pragma xmp gmove
    mine[0:10] = a[1:10:3];
    expect(mine[0] == 401 && mine[9] == 428, "with a step");
    for (int i = 0; i < N; i++) mine[i] = 7 * i;
#pragma xmp gmove
    b[:] = mine[:];
#pragma xmp gmove
    one = b[N - 1];
    expect(one == 7 * (N - 1), "one element");
#pragma xmp gmove
    b[3] = one;
#pragma xmp gmove
    one = b[3];
    expect(one == 7 * (N - 1), "one element back");

    /* One value. */
#pragma xmp gmove
    b[:] = 5;
#pragma xmp gmove
    b[4:3:2] = one + 0;
#pragma xmp gmove
    mine[:] = b[:];
    int same = 1;
    for (int i = 0; i < N; i++) same = same && mine[i] == (i == 4 || i == 6 || i == 8 ? one : 5);
    expect(same, "one value for many elements");
#pragma xmp gmove
    a[:] = b[6];
#pragma xmp gmove
    mine[:] = a[:];
    expect(mine[0] == one && mine[N - 1] == one, "one element for many");
#pragma xmp gmove
    mine[1:3] = b[6];
    expect(mine[1] == one && mine[3] == one && mine[0] == one && mine[4] == one, "one element for memory of each rank");
#pragma xmp gmove
    mine[2] = 11;
    mine[3] = 12;
#pragma xmp gmove
    mine[5:2] = mine[2:2];
    expect(mine[5] == 11 && mine[6] == 12, "nothing distributed");

    /* Two dimensions. */
#pragma xmp gmove
    m[:][:] = 0;
#pragma xmp loop(i, j) on two[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) m[i][j] += i * N + j;
    double line[N], block[3][4];
#pragma xmp gmove
    line[:] = m[:][7];
    expect(line[0] == 7 && line[N - 1] == (N - 1) * N + 7, "a column");
#pragma xmp gmove
    row[:] = m[5][:];
    double sum = 0, rows = 0;
#pragma xmp loop on two[*][j] reduction(+ : sum)
    for (int j = 0; j < N; j++) sum += row[j];
    for (int j = 0; j < N; j++) rows += 5 * N + j;
    expect(sum == rows, "a row to its copies");
#pragma xmp gmove in
    block[:][:] = m[10:3][2:4:5];
    expect(block[2][3] == 12 * N + 17 && block[0][0] == 10 * N + 2, "a part of two dimensions");
    block[1][1] = -1;
#pragma xmp gmove out
    m[20:3][20:4] = block[:][:];
#pragma xmp gmove
    block[0][:] = m[21][20:4];
    expect(block[0][1] == -1, "and back");

    /* What goes on. */
    int total = me, most = me, from = me, other[N];
#pragma xmp reduction(+ : total) async(1)
#pragma xmp reduction(max : most) on p async(1)
#pragma xmp bcast(from) from p[n - 1] async(2)
#pragma xmp gmove async(3)
    mine[:] = a[:];
#pragma xmp gmove async(3)
    other[:] = a[:];
#pragma xmp wait_async(1, 2)
    expect(total == n * (n - 1) / 2 && most == n - 1 && from == n - 1, "reductions and bcast that go on");
    for (int tries = 0; !xmp_test_async(3) && tries < 1000000; tries++)
        ;
#pragma xmp wait_async(3)
    expect(mine[N - 1] == one && other[0] == one, "moves that go on");
    expect(xmp_test_async(3) == 1, "nothing goes on");
    return failures != 0;
}
