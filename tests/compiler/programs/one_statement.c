/* SPDX-License-Identifier: Apache-2.0 */
/* A directive is one statement: below `if`, `else`, loops and other directives without braces. */
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
#pragma xmp template t[20]
#pragma xmp distribute t[block] onto p
double a[20], b[20]; 
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp shadow b[1]

int main(void) {
    int x = xmp_node_num(), y = 1, no = x < 0;
    if (no)
#pragma xmp reflect (a, b)
    if (no)
#pragma xmp reduction(+:x, y)
    EXPECT(x == xmp_node_num() && y == 1);
    if (no)
#pragma xmp bcast (x, y)
    EXPECT(x == xmp_node_num());
    if (!no)
#pragma xmp reduction(+:y)
    EXPECT(y == xmp_num_nodes());
    for (int k = 0; k < 3; k++)
#pragma xmp task on p[0]
#pragma xmp bcast (y) from p[0]
    EXPECT(y == xmp_num_nodes());
    while (no)
#pragma xmp loop on t[i]
        for (int i = 0; i < 20; i++) a[i] = 0;
    if (no)
#pragma xmp wait_async(1, 2)
    if (!no) {
#pragma xmp reflect (a) async(1)
    }
#pragma xmp wait_async(1)
    if (no)
#pragma xmp gmove
        a[0:3] = b[0:3];
    else
#pragma xmp gmove
        a[3:3] = b[0:3];
    switch (y) { default:
#pragma xmp barrier
    }

    return failures != 0;
}
