/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
struct s { int a[6]; double m[3][4]; } st;
int g[10], h[10]; int tri[3][4][5];
int main(void)
{
  int k, n = 4, loc[10], *p = loc, (*r)[5] = tri[1];
  g[:] = 3; CHECK(g[0] == 3 && g[9] == 3);
  for (k = 0; k < 10; k++) g[k] = k;
  h[0:5] = g[5:5] * 2 + 1; CHECK(h[4] == 19);
  g[1:9] = g[0:9]; CHECK(g[9] == 8 && g[1] == 0);
  g[0:5:2] = h[4:5:-1]; CHECK(g[0] == 19 && g[8] == 11);
  p[0:n] = h[0:n]; CHECK(loc[3] == h[3]);
  p[0:n] += p[0:n]; CHECK(loc[3] == 2 * h[3]);
  st.a[:] = 5; st.a[2:2] = st.a[0:2] - 1; CHECK(st.a[3] == 4 && st.a[4] == 5);
  st.m[:][:] = 1.5; st.m[1][:] = st.m[0][:] + st.m[2][:]; CHECK(st.m[1][3] == 3);
  st.m[0:3][2] = -1; CHECK(st.m[2][2] == -1 && st.m[2][1] == 1.5);
  tri[:][:][:] = 1; tri[0:2][1:3:1][4] = 9; CHECK(tri[1][3][4] == 9 && tri[2][3][4] == 1 && tri[0][0][4] == 1);
  r[0:2][1:3] = 6; CHECK(tri[1][1][3] == 6 && tri[1][2][3] == 1);
  loc[0:4] = (g[0:4] > h[0:4]) ? g[0:4] : h[0:4]; CHECK(loc[0] == 19);
  loc[2:n-1] = 0; CHECK(loc[4] == 0);
  if (n == 4) loc[0:2] = -1; else loc[0:2] = -2;
  CHECK(loc[1] == -1);
  for (k = 0; k < 2; k++) loc[k:2] = k;
  CHECK(loc[0] == 0 && loc[2] == 1);
  return failures != 0;
}
