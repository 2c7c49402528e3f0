/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters aligned before a function's body, functions in C's old style, and pointers computed from the name of an array. */
#include <stdio.h>
#include <xmp.h>

enum { N = 20 };

#pragma xmp nodes p(*)
#pragma xmp template t(0 : N - 1)
#pragma xmp distribute t(block) onto p
int a[N], m[N][3];
#pragma xmp align a[i] with t(i)
#pragma xmp align m[i][*] with t(i)

static void numbered(x, by) int x[N];
int by;
#pragma xmp align x[i] with t(i)
{
#pragma xmp loop on t(i)
    for (int i = 0; i < N; i++) x[i] = by * i;
}

static int sum(int const x[N])
#pragma xmp align x[i] with t(i)
{
    int s = 0;
#pragma xmp loop on t(i) reduction(+ : s)
    for (int i = 0; i < N; i++) s += x[i];
    return s;
}

static int plain(n) int n;
{
    int one = n;
#pragma xmp reduction(+ : one)
    return one;
}

int main(argc, argv) int argc;
char** argv;
{
    int failures = argc < 1 || argv == 0;
    numbered(a, 2);
    failures += sum(a) != N * (N - 1);
    failures += plain(3) != 3 * xmp_num_nodes();
#pragma xmp loop on t(i)
    for (int i = 0; i < N; i++) {
        *(a + i) += 1;
        *(*(m + i) + 1) = i;
    }
#pragma xmp loop on t(i) reduction(+ : failures)
    for (int i = 0; i < N; i++) {
        int const* const place = i + a;
        failures += i[a] != 2 * i + 1 || m[i][1] != i || *place != 2 * i + 1;
    }
    if (failures) printf("node %d: %d\n", xmp_node_num(), failures);
#pragma xmp reduction(+ : failures)
    return failures != 0;
}
