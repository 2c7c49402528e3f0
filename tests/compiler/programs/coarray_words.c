/* SPDX-License-Identifier: Apache-2.0 */
/* Colons of all kinds beside those of coarrays. */
#include <xmp.h>

struct bits {
    unsigned a : 3;
    int b;
};
int x:[*], y[3]:[*];

int main(void) {
    int const me = xmpc_this_image();
    int k = 1, z[4] = {0}, r = k ? x : z[2];
    struct bits q = {1, 2};
    xmp_sync_all(0);
    int w = k ? x:[0] : y[1]:[0];
    xmp_sync_all(0);
    switch (k) {
    case 1: z[0] = 1; break;
    default:;
    }
again:
    z[1]++;
    if (z[1] < 2) goto again;
    int* p = &x;
    *p = 4;
    y[x:[me] - 4] = 3;
    return x:[me] != 4 || y[0] != 3 || r != 0 || w != 0 || q.a != 1 || q.b != 2 || z[1] != 2 || z[0] != 1;
}
