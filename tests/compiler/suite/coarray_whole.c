/* SPDX-License-Identifier: Apache-2.0 */
/* Coarrays of other images as a whole: as arguments, under `&`, rows of them. On one machine. */
#include <stdio.h>
#include <xmp.h>
int a[4]:[*], m[3][5]:[*];
static int ends(int const* v) {
    return v[0] + v[3];
}
int main(void) {
    int const me = xmpc_this_image(), next = (me + 1) % xmp_num_images();
    int bad = 0;
    for (int i = 0; i < 4; i++) a[i] = 10 * me + i;
    for (int i = 0; i < 15; i++) m[0][i] = me + i;
    xmp_sync_all(NULL);
    int(*const there)[4] = &a:[next];
    bad += ends(a:[next]) != 20 * next + 3 || (*there)[2] != 10 * next + 2;
    bad += ends(m[1]:[next]) != 2 * next + 13;
    xmp_sync_all(NULL);
    return bad != 0;
}
/* RANKS: 1 2 3 4 */
