/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMMON_H
#define COMMON_H
#include "../check.h"
#define N 21
typedef struct { double v; int id; } cell;
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp template dyn[:]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute dyn[block] onto p
extern cell field[N];
extern double rho[N][4];
#pragma xmp align field[i] with t[i]
#pragma xmp align rho[i][*] with t[i]
#pragma xmp shadow field[1]
#pragma xmp shadow rho[1][0]
extern int tick;
#pragma xmp coarray tick : [*]
double energy(void);
void advance(cell x[N]);
int mine(void);
static inline int cells_here(void) { int n = 0;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) n++;
  return n; }
#endif
