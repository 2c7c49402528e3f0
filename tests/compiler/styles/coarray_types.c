/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include <complex.h>
#include <stdbool.h>
typedef struct { int x; double y[3]; char name[8]; } rec;
enum color { RED, GREEN, BLUE };
rec r[2]:[*];
char ch:[*];
bool ok[3]:[*];
long double ld:[*];
double _Complex z[4]:[*];
float f[2][3]:[*];
enum color hue:[*];
unsigned short us[5]:[*];
int main(void)
{
  int n = xmp_num_images(), me = xmpc_this_image(), right = (me + 1) % n, left = (me + n - 1) % n, k, st = 1;
  r[0].x = me; r[1].y[2] = me + 0.5; r[1].name[0] = 'a' + me; ch = 'A' + me; ok[1] = me % 2; ld = me + 0.25L; z[3] = me + 2.0 * me * I; hue = me % 3;
  for (k = 0; k < 5; k++) us[k] = 100 * me + k;
  for (k = 0; k < 6; k++) f[k / 3][k % 3] = me * 10 + k;
  xmp_sync_all(&st);
  CHECK(st == XMP_STAT_OK);
  CHECK(r[0].x:[right] == right || 1);
  int x = r[0]:[right].x; CHECK(x == right);
  double y = r[1]:[left].y[2]; CHECK(y == left + 0.5);
  rec whole = r[1]:[right]; CHECK(whole.name[0] == 'a' + right);
  CHECK(ch:[left] == 'A' + left);
  bool t = ok[1]:[right]; CHECK(t == right % 2);
  long double l = ld:[left]; CHECK(l == left + 0.25L);
  double _Complex c = z[3]:[right]; CHECK(creal(c) == right && cimag(c) == 2 * right);
  enum color h = hue:[left]; CHECK((int)h == left % 3);
  unsigned short got[5];
  got[0:5] = us[0:5]:[right];
  for (k = 0; k < 5; k++) CHECK(got[k] == 100 * right + k);
  float col[2];
  col[0:2] = f[0:2][1]:[left];
  CHECK(col[0] == left * 10 + 1 && col[1] == left * 10 + 4);
  xmp_sync_all(&st);
  f[1][0:3]:[right] = 7.5f;
  us[0:2:2]:[left] = us[3:2]:[left];
  xmp_sync_all(NULL);
  CHECK(f[1][0] == 7.5f && f[1][2] == 7.5f && f[0][0] == me * 10);
  CHECK(us[0] == 100 * me + 3 && us[2] == 100 * me + 4 && us[1] == 100 * me + 1);
  return failures != 0;
}
