/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"

double field[N];

void fill(int factor) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) field[i] = factor * i;
}

double total(void) {
    double sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += field[i];
    return sum;
}
