/* SPDX-License-Identifier: Apache-2.0 */
#include "common.h"
int tick;
static int work[N];
#pragma xmp align work[i] with t[i]
static double *d;
#pragma xmp align d[i] with dyn[i]
double energy(void) {
  double e = 0;
#pragma xmp reflect (rho)
#pragma xmp loop on t[i] reduction(+:e)
  for (int i = 0; i < N; i++) { e += field[i].v - field[i].id; for (int k = 0; k < 4; k++) e += rho[i][k]; }
  return e; }
void advance(cell x[N]) {
#pragma xmp align x[i] with t[i]
#pragma xmp shadow x[1]
#pragma xmp reflect (x) width(/periodic/1)
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) CHECK(x[i+1].id == -((i + 1) % N));
  tick:[xmpc_this_image()] = xmpc_this_image() + 1; }
int mine(void) {
  int s = 0;
  if (!d) d = xmp_malloc(xmp_desc_of(d), N);
#pragma xmp loop on dyn[i]
  for (int i = 0; i < N; i++) d[i] = 1;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) work[i] = 2;
#pragma xmp loop on dyn[i] reduction(+:s)
  for (int i = 0; i < N; i++) s += work[i] + d[i];
  return s; }
