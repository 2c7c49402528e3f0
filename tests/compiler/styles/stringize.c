/* SPDX-License-Identifier: Apache-2.0 */
/* macros that stringize, paste and take references of cyclic arrays and images several times */
#include "check.h"
#include <assert.h>
#define N 10
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic] onto p
int arr_x[N], arr_y[N]; int co:[*];
#pragma xmp align [i] with t[i] :: arr_x, arr_y
#define NAME(s) arr_##s
#define SQ(x) ((x) * (x))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SHOW(e) (printf("%s", ""), fflush(stdout), (e))
#define SWAP(T, a, b) do { T tmp_ = a; a = b; b = tmp_; } while (0)
int main(void) {
  int i, me = xmpc_this_image(), n = xmp_num_images();
  co = me; xmp_sync_all(NULL);
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { NAME(x)[i] = i; NAME(y)[i] = SQ(arr_x[i]) + 1; }
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { assert(arr_y[i] == SQ(i) + 1); CHECK(SHOW(arr_y[i]) == MAX(SQ(arr_x[i]), -arr_x[i]) + 1); SWAP(int, arr_x[i], arr_y[i]); CHECK(arr_y[i] == i); }
  CHECK(MAX(co:[n-1], co:[0]) == n - 1);
  CHECK(SQ(co:[(me + 1) % n]) == SQ((me + 1) % n));
  fprintf(stderr, "%s", SHOW(co:[0]) == 0 ? "" : "wrong");
  xmp_sync_all(NULL);
  return failures != 0; }
