/* SPDX-License-Identifier: Apache-2.0 */
// Members of structures that are aligned; a struct with several; namespaces; references to them in functions; coarrays of class type with constructors deleted.
#include <cstdio>
#include <cstring>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[18][4]
#pragma xmp distribute t[block][*] onto p
struct field { double v[18][4]; int flag[18]; int plain; };
static field f, g;
#pragma xmp align f.v[i][j] with t[i][j]
#pragma xmp align g.v[i][j] with t[i][j]
#pragma xmp align f.flag[i] with t[i][*]
#pragma xmp shadow f.v[1][0]
struct vec { double x, y; double norm2() const { return x * x + y * y; } vec operator+(vec const& o) const { return {x + o.x, y + o.y}; } };
vec spots[4]:[*];
namespace deep { namespace er { int level[3]:[*]; } }
using namespace deep;
int main() {
    int bad = 0;
    f.plain = 3;
#pragma xmp loop (i, j) on t[i][j]
    for (int i = 0; i < 18; i++) for (int j = 0; j < 4; j++) { f.v[i][j] = i * f.plain + j; g.v[i][j] = -1; }
#pragma xmp loop on t[i][*]
    for (int i = 0; i < 18; i++) f.flag[i] = i & 1;
#pragma xmp reflect (f.v)
#pragma xmp loop (i) on t[i][*] reduction(+:bad)
    for (int i = 1; i < 18; i++) for (int j = 0; j < 4; j++) { g.v[i][j] = f.v[i][j] - f.v[i - 1][j]; bad += g.v[i][j] != 3 || f.flag[i] != i % 2; }
    double c[18];
#pragma xmp gmove
    c[:] = g.v[:][2];
    bad += c[0] != -1 || c[17] != 3;
    int const me = xmpc_this_image(), n = xmp_num_images(), r = (me + 1) % n;
    for (int k = 0; k < 4; k++) spots[k] = {1.0 * me, 1.0 * k};
    er::level[1] = me;
    xmp_sync_all(nullptr);
    vec const a = spots[2]:[r];
    bad += a.norm2() != r * r + 4;
    bad += (spots[1]:[r]).norm2() != r * r + 1;
    vec const b = spots[1]:[r] + spots[3]:[r];
    bad += b.x != 2 * r || b.y != 4;
    bad += er::level[1]:[r] != r || deep::er::level[1]:[r] != r;
    xmp_sync_all(nullptr);
    spots[0]:[r].y = 9;
    spots[3]:[r] = vec{7, 8};
    xmp_sync_all(nullptr);
    bad += spots[0].y != 9 || spots[3].x != 7;
#pragma xmp reduction (+:bad)
    if (bad) std::printf("bad %d\n", bad);
    return bad != 0;
}
