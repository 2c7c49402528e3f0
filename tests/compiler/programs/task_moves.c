/* SPDX-License-Identifier: Apache-2.0 */
/* gmove in a task: arrays lie on the nodes of the task, or on some of them, and all nodes of the program made them. */
#include <stdio.h>
#include <xmp.h>
#define N 20
#define M 7

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_all_node_num(), xmp_all_num_nodes(), what);
        failures++;
    }
}

int main(void) {
    int const n = xmp_num_nodes(), half = (n + 1) / 2;
#pragma xmp nodes p(n)
#pragma xmp nodes q(half) = p(n - half + 1:n)
#pragma xmp template t(0:N - 1)
#pragma xmp distribute t(block) onto q
#pragma xmp template c(0:N - 1)
#pragma xmp distribute c(cyclic(3)) onto q
#pragma xmp template s(0:M - 1, 0:N - 1)
#pragma xmp distribute s(*, block) onto q
#pragma xmp template w(0:N - 1)
#pragma xmp distribute w(block) onto p
    int x[N], y[N], plane[N][M], other[N];
#pragma xmp align x[i] with t(i)
#pragma xmp align y[i] with c(i)
#pragma xmp align plane[i][j] with s(j, i)
#pragma xmp align other[i] with w(i)
#pragma xmp shadow x[1]
#pragma xmp loop on t(i)
    for (int i = 0; i < N; i++) x[i] = i * i;
#pragma xmp loop on w(i)
    for (int i = 0; i < N; i++) other[i] = 0;
    for (int turn = 0; turn < 3; turn++) {
#pragma xmp task on q
        {
            int all[N], value = -1;
#pragma xmp gmove
            y[:] = x[N - 1 : N : -1];
#pragma xmp gmove
            all[:] = y[:];
            for (int i = 0; i < N; i++) expect(all[i] == (N - 1 - i) * (N - 1 - i) + 100 * turn, "an array turned round in a task");
#pragma xmp gmove
            value = x[3];
            expect(value == 9 + 100 * turn, "an element in a task");
#pragma xmp gmove
            plane[:][2] = x[:];
#pragma xmp gmove
            plane[5][0:M] = y[0:M];
#pragma xmp gmove async(turn)
            all[0:M] = plane[5][:];
#pragma xmp wait_async(turn)
            for (int j = 0; j < M; j++) expect(all[j] == (N - 1 - j) * (N - 1 - j) + 100 * turn, "a row in a task");
#pragma xmp gmove
            x[1:N - 1] = x[0:N - 1];
#pragma xmp gmove in
            y[:] = x[:];
#pragma xmp loop on c(i)
            for (int i = 1; i < N; i++) expect(y[i] == (i - 1) * (i - 1) + 100 * turn, "parts that overlap in a task");
#pragma xmp loop on t(i)
            for (int i = 0; i < N; i++) x[i] = i * i + 100 * (turn + 1);
        }
#pragma xmp gmove
        other[:] = x[:];
#pragma xmp loop on w(i)
        for (int i = 0; i < N; i++) expect(other[i] == i * i + 100 * (turn + 1), "the same array outside of the task");
    }
    return failures != 0;
}
