/* SPDX-License-Identifier: Apache-2.0 */
/* A program of several files: arrays that another file has, directives in a header. */
#include "field.h"
#include <stdio.h>
#include <stdlib.h>

int count, *shares;
double *made;

// A template of the header that this file fixes is fixed for the other one.
static int differs(void) {
    int const nodes = xmp_num_nodes();
    int* const widths = malloc((size_t)nodes * sizeof(int));
    for (int k = 0; k < nodes; k++) count += widths[k] = k + 2;
#pragma xmp template_fix open(0:count-1)
#pragma xmp template_fix(gblock(widths)) parted(0:count-1)
    made = xmp_malloc(xmp_desc_of(made), count);
    shares = xmp_malloc(xmp_desc_of(shares), count);
    fill_made();
    int wrong = total_made() != -count * (count - 1) / 2;
#pragma xmp loop on open(i)
    for (int i = 0; i < count; i++) wrong += made[i] != i;
    int mine = 0;
    wrong += xmp_array_lsize(xmp_desc_of(shares), 1, &mine) != 0 || mine != xmp_node_num() + 1;
    xmp_free(xmp_desc_of(made));
    xmp_free(xmp_desc_of(shares));
    free(widths);
    return wrong;
}

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
    if (differs()) {
        printf("node %d: templates of the header differ\n", xmp_node_num());
        return 1;
    }
    return 0;
}

// The name means something else here.
static double own(void) {
    double field[3] = {0, 0, N};
    return field[2];
}
