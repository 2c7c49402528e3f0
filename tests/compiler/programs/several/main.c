/* SPDX-License-Identifier: Apache-2.0 */
/* A program of several files: arrays that another file has, directives in a header. */
#include "field.h"
#include <stdio.h>

static double own(void);

int main(void) {
    fill(2);
    double sum = total();
    int count = 0;
#pragma xmp loop on t[i] reduction(+ : count)
    for (int i = 0; i < N; i++) count += field[i] == 2 * i;
    if (sum != N * (N - 1) || count != N || own() != N) {
        printf("node %d: sum %g, count %d\n", xmp_node_num(), sum, count);
        return 1;
    }
    return 0;
}

// The name means something else here.
static double own(void) {
    double field[3] = {0, 0, N};
    return field[2];
}
