/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FIELD_H
#define FIELD_H
#include <xmp.h>
#define N 50
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
extern double field[N];
#pragma xmp align field[i] with t[i]
void fill(int factor);
double total(void);
#endif
