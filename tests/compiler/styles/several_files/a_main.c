/* SPDX-License-Identifier: Apache-2.0 */
#include "common.h"
cell field[N];
double rho[N][4];
static int work[N];
#pragma xmp align work[i] with t[i]
int main(void) {
#pragma xmp template_fix [block] dyn[N]
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) { field[i].v = i; field[i].id = -i; work[i] = 2; for (int k = 0; k < 4; k++) rho[i][k] = i * k; }
  CHECK(energy() == 2 * N * (N - 1) / 2 + N * (N - 1) / 2 * 6);
  advance(field);
  int s = cells_here(), w = 0;
#pragma xmp reduction(+:s)
  CHECK(s == N);
#pragma xmp loop on t[i] reduction(+:w)
  for (int i = 0; i < N; i++) w += work[i];
  CHECK(w == 2 * N);
  CHECK(mine() == 3 * N);
  xmp_sync_all(NULL);
  CHECK(tick == xmpc_this_image() + 1);
  return failures != 0; }
