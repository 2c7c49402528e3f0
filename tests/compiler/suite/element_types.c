/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
#include <stdint.h>
#include <xmp.h>
enum { N = 23, OFF = 5 };
typedef enum { RED, GREEN, BLUE } color_t;
typedef int row_t[4];
typedef double real;
# pragma xmp nodes p ( * )   /* a comment */
#	pragma	xmp	template t ( -OFF : N - OFF - 1 )	// another
#pragma xmp distribute \
   t ( block ) \
   onto p
bool flags[N]; color_t col[N]; char *names[N]; row_t rows[N]; real r[N] __attribute__((aligned(64))); int8_t i8[N]; uint16_t u16[N]; int64_t i64[N]; int (*fn[N])(int); size_t sz[N];
#pragma xmp align [i] with t(i-OFF) :: flags, col, names, r, i8, u16, i64, fn, sz
#pragma xmp align rows[i][*] with t(i-5)
#pragma xmp shadow [1] :: r, i8, u16, i64, col, flags
static int twice(int x){ return 2*x; }
static int thrice(int x){ return 3*x; }
static char *lit[3] = { "red", "green", "blue" };
static void bump(real *x){ *x += 0.5; }
int main(int argc, char **argv)
{
  int e = 0;
#pragma xmp loop on t(i-OFF)
  for (int i = 0; i < N; i++) {
    flags[i] = i & 1; col[i] = (color_t)(i % 3); names[i] = lit[i % 3]; r[i] = i; i8[i] = -i; u16[i] = 1000 * i; i64[i] = (int64_t)i << 40;
    fn[i] = i & 1 ? twice : thrice; sz[i] = sizeof(r);
    rows[i][0] = rows[i][1] = i; rows[i][2] = rows[i][1]++ + ++rows[i][0]; *(rows[i] + 3) = -1;
    bump(&r[i]); bump(r + i);
  }
#pragma xmp reflect(r,i8,u16,i64,col,flags)
#pragma xmp loop (i) on t( i - OFF )
  for (int i = 1; N - 1 > i; i += 1) {
    if (r[i-1] != i || r[i+1] != i + 2) e = 1;
    if (i8[i-1] != 1-i || u16[i+1] != (uint16_t)(1000*(i+1)) || i64[i-1] != (int64_t)(i-1) << 40 || col[i+1] != (i+1)%3 || flags[i-1] != ((i-1)&1)) e = 2;
    if (fn[i](7) != (i & 1 ? 14 : 21) || (*fn[i])(1) != (i & 1 ? 2 : 3)) e = 3;
    if (strcmp(names[i], lit[i%3])) e = 4;
    if (sz[i] != N * sizeof(double)) e = 5;
    if (rows[i][0] != i+1 || rows[i][1] != i+1 || rows[i][2] != 2*i+1 || rows[i][3] != -1) e = 6;
  }
  long li; short si; unsigned ui; unsigned char ci; size_t zi;
#pragma xmp loop on t(li-OFF)
  for (li = 0; li < N; li++) r[li] = 1;
#pragma xmp loop on t(si-OFF)
  for (si = 0; si <= N-1; ++si) r[si] += 1;
#pragma xmp loop on t(ui-OFF)
  for (ui = 0; ui < N; ui += 2) r[ui] *= 3;
#pragma xmp loop on t(ci-OFF)
  for (ci = 1; ci < N; ci = ci + 2) r[ci] *= 4;
#pragma xmp loop on t(zi-OFF)
  for (zi = 0; zi != N; zi++) r[zi] -= 1;
  real s = 0;
#pragma xmp loop (k) on t(k-OFF) reduction ( + : s )
  for (int k = N - 1; k >= 0; k--) { if (k == 3) continue; s += r[k]; }
  real ans = 0; for (int k = 0; k < N; k++) if (k != 3) ans += (k % 2 ? 8 : 6) - 1;
  if (s != ans) e = 7;
#pragma xmp reduction(max:e)
  if (e) printf("ERROR %d\n", e);
  return e;
}
