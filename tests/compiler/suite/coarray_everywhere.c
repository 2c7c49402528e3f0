/* SPDX-License-Identifier: Apache-2.0 */
/* Coarrays over shapes with several codimensions, in branches, in conditions, as arguments, in ternaries, comma, compound assignments. */
#include <stdio.h>
#include <xmp.h>
#pragma xmp nodes p[*]
int a[4]:[*], s:[2][*], *ptr:[*];
double d[3][4]:[*];
static int f(int x) { return x + 1; }
static int g(int const *v, int n) { int t = 0; while (n--) t += *v++; return t; }
int main(void) {
    int const me = xmpc_this_image(), n = xmp_num_images(), r = (me + 1) % n;
    int bad = 0;
    for (int i = 0; i < 4; i++) a[i] = 10 * me + i;
    s = me; ptr = NULL;
    for (int i = 0; i < 12; i++) d[0][i] = me + i / 16.0;
    xmp_sync_all(NULL);
    bad += f(a[1]:[r]) != 10 * r + 2;
    bad += (me % 2 ? a[2]:[r] : a[3]:[r]) != 10 * r + (me % 2 ? 2 : 3);
    int i = 0;
    bad += (i++, a[i]:[r]) != 10 * r + 1;
    if (a[0]:[r] == 10 * r && a[0]:[me] == 10 * me) bad += 0; else bad++;
    while (i < 4 && a[i]:[r] < 10 * r + 3) i++;
    bad += i != 3;
    int v[4];
    v[:] = a[:]:[r];
    bad += g(v, 4) != 40 * r + 6;
    if (n % 2 == 0) bad += s:[r % 2][r / 2] != r;
    int const *const local = &a[0];
    bad += local[3] != 10 * me + 3;
    double w[2][2];
    w[:][:] = d[1:2][0:2:3]:[r];
    for (int x = 0; x < 2; x++) for (int y = 0; y < 2; y++) bad += w[x][y] != r + (4 * (1 + x) + 3 * y) / 16.0;
    xmp_sync_all(NULL);
    a[0]:[r] += 5; a[1]:[r] -= 1; a[2]:[r] *= 2; a[3]:[r]++; --a[3]:[r]; a[3]:[r] |= 256;
    xmp_sync_all(NULL);
    bad += a[0] != 10 * me + 5 || a[1] != 10 * me || a[2] != 2 * (10 * me + 2) || a[3] != ((10 * me + 3) | 256);
    xmp_sync_all(NULL);
    d[0][:]:[r] = 0; d[1][1:2]:[r] = w[1][0];
    xmp_sync_all(NULL);
    int l = (me + n - 1) % n;
    bad += d[0][3] != 0 || d[1][1] != (l + 1) % n + 8 / 16.0 || d[1][2] != d[1][1];
    int *q = a;
    ptr = q;
    xmp_sync_all(NULL);
    bad += sizeof(ptr:[r]) != sizeof(int *) || sizeof a[0]:[r] != sizeof(int);
    switch (a[0]:[r] % 10) { case 5: break; default: bad++; }
    for (int k = a[0]:[me]; k < a[0]:[me] + 2; k++) bad += k < 0;
    xmp_sync_all(NULL);
#pragma xmp reduction (+:bad)
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
