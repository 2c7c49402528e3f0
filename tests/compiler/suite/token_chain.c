/* SPDX-License-Identifier: Apache-2.0 */
/* A token goes around by post and wait, by sync_image, by sync_images, by atomic flags; several tags in flight. */
#include <stdio.h>
#include <xmp.h>
#pragma xmp nodes p[*]
int token:[*], ready:[*], log_[64]:[*];
int main(void) {
    int const me = xmpc_this_image(), n = xmp_num_images();
    int bad = 0, st;
    token = 0; ready = 0;
    for (int i = 0; i < 64; i++) log_[i] = -1;
    xmp_sync_all(&st);
    bad += st != XMP_STAT_SUCCESS;
    for (int turn = 0; turn < 3; turn++) {
        if (n == 1) break;
        if (me > 0 || turn > 0) {
#pragma xmp wait (p[(me + n - 1) % n], turn + (me == 0 ? -1 : 0))
        }
        token = me == 0 ? turn * n : token;
        token:[(me + 1) % n] = token + 1;
        xmp_sync_memory(&st);
#pragma xmp post (p[(me + 1) % n], turn)
    }
    if (n > 1 && me == 0) {
#pragma xmp wait (p[n - 1], 2)
    }
    xmp_sync_all(NULL);
    if (n > 1) bad += token != (me == 0 ? 3 * n : 2 * n + me);
    int mates[2] = {(me + 1) % n, (me + n - 1) % n};
    for (int k = 0; k < 8; k++) {
        log_[k]:[mates[0]] = 100 * k + me;
        if (n > 2) xmp_sync_images(2, mates, NULL); else xmp_sync_all(NULL);
        bad += log_[k] != 100 * k + mates[1];
        if (n > 2) xmp_sync_images(2, mates, &st); else xmp_sync_all(NULL);
    }
    if (n >= 2) {
        if (me == 0) xmp_sync_image(1, NULL);
        if (me == 1) xmp_sync_image(0, &st);
    }
    if (n > 1) {
        if (me == n - 1) { int k; do { xmp_atomic_ref(&k, ready); } while (k != 42); bad += log_[63] != 7; }
        if (me == 0) { log_[63]:[n - 1] = 7; xmp_sync_memory(NULL); xmp_atomic_define(ready:[n - 1], 42); }
    }
    xmp_sync_all(NULL);
#pragma xmp reduction (+:bad)
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
