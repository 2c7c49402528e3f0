/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMON_H
#define COMMON_H
#include <xmp.h>
#define NR 14
#define NC 6
#pragma xmp nodes p[*]
#pragma xmp template t[NR]
#pragma xmp distribute t[block] onto p
extern double field[NR][NC];
extern int marks[NR];
#pragma xmp align field[i][*] with t[i]
#pragma xmp align marks[i] with t[i]
#pragma xmp shadow field[1][0]
extern int image_sum:[*];
extern int tickets[4]:[*];
typedef double row_type[NC];
double sum_of(double f[NR][NC], int from, int to);
void step(row_type *f, double const (*g)[NC], int n);
static inline void clear(void) {
#pragma xmp loop on t[i]
    for (int i = 0; i < NR; i++) { for (int j = 0; j < NC; j++) field[i][j] = 0; marks[i] = 0; }
}
#endif
