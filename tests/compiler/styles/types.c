/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include <complex.h>
#include <stdint.h>
#define N 13
typedef struct point { float x, y; int tag; } point;
typedef double real;
typedef real vec[N];
typedef int grid[N][4];
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
point pt[N]; vec v; long double ld[N]; float _Complex fc[N]; double complex dc[N]; uint8_t by[N]; int64_t big[N]; grid gr; const char *names[N];
#pragma xmp align pt[i] with t[i]
#pragma xmp align v[i] with t[i]
#pragma xmp align ld[i] with t[i]
#pragma xmp align fc[i] with t[i]
#pragma xmp align dc[i] with t[i]
#pragma xmp align by[i] with t[i]
#pragma xmp align big[i] with t[i]
#pragma xmp align gr[i][*] with t[i]
#pragma xmp align names[i] with t[i]
#pragma xmp shadow pt[1]
#pragma xmp shadow ld[1]
#pragma xmp shadow dc[1]
int main(void)
{
  int i, k;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { pt[i].x = i; pt[i].y = -i; pt[i].tag = 3 * i; v[i] = i / 4.0; ld[i] = i * 0.5L; fc[i] = i + 1.0f * I; dc[i] = i - 2.0 * i * I; by[i] = 250 + i; big[i] = (int64_t)i << 40; names[i] = i % 2 ? "odd" : "even"; for (k = 0; k < 4; k++) gr[i][k] = i * k; }
#pragma xmp reflect (pt, ld, dc) width(/periodic/1)
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { int r = (i + 1) % N, l = (i + N - 1) % N; CHECK(pt[i+1].tag == 3 * r); CHECK(pt[i-1].y == -l); CHECK(ld[i+1] == r * 0.5L); CHECK(dc[i-1] == l - 2.0 * l * I); CHECK(names[i][0] == (i % 2 ? 'o' : 'e')); }
  long double s = 0; double complex z = 0; float _Complex y = 0; int64_t b = 0; long double mx = -1;
#pragma xmp loop on t[i] reduction(+:s,z,y,b) reduction(max:mx)
  for (i = 0; i < N; i++) { s += ld[i]; z += dc[i]; y += fc[i]; b += big[i]; if (ld[i] > mx) mx = ld[i]; }
  CHECK(s == 39.0L); CHECK(z == 78 - 156 * I); CHECK(crealf(y) == 78 && cimagf(y) == 13); CHECK(b == (int64_t)78 << 40); CHECK(mx == 6.0L);
  point all[N]; long double la[N];
#pragma xmp gmove
  all[:] = pt[:];
#pragma xmp gmove
  la[0:N] = ld[0:N];
  for (i = 0; i < N; i++) CHECK(all[i].tag == 3 * i && la[i] == i * 0.5L);
  point one;
#pragma xmp gmove
  one = pt[5];
  CHECK(one.x == 5);
#pragma xmp bcast (one) from p[0]
  CHECK(one.y == -5);
  return failures != 0;
}
