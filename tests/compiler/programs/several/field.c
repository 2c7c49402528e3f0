/* SPDX-License-Identifier: Apache-2.0 */
#include "./field.h" /* another name of what main.c includes */

double field[N];

void fill(int factor) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) field[i] = factor * i;
}

void fill_made(void) {
#pragma xmp template_fix open(0:count-1)
#pragma xmp loop on open(i)
    for (int i = 0; i < count; i++) made[i] = i;
#pragma xmp loop on parted(i)
    for (int i = 0; i < count; i++) shares[i] = -i;
}

double total_made(void) {
    double sum = 0;
#pragma xmp loop on open(i) reduction(+ : sum)
    for (int i = count - 1; i >= 0; i--) sum += made[i];
#pragma xmp loop on parted(i) reduction(+ : sum)
    for (int i = 0; i < count; i++) sum += 2 * shares[i];
    return sum;
}

double total(void) {
    double sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += field[i];
    return sum;
}
