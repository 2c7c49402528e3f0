/* SPDX-License-Identifier: Apache-2.0 */
/* Coarrays: put, get, sections, members, scalars, and what orders them. */
#include <stdio.h>
#include <xmp.h>

int a[12]:[*], b[4][6]:[*], last:[*];
static double scale:[*];
struct {
    int x;
    double y[3];
} record:[*];
long plain[8];
#pragma xmp coarray plain:[*]

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("image %d of %d: %s\n", xmpc_this_image(), xmp_num_images(), what);
        failures++;
    }
}

static int second(int* list) {
    return list[1];
}

int main(void) {
    int const me = xmpc_this_image(), all = xmp_num_images(), right = (me + 1) % all, left = (me + all - 1) % all;
    for (int i = 0; i < 12; i++) a[i] = 100 * me + i;
    last = -me;
    expect(scale == 0 && sizeof(a) == 12 * sizeof(int) && second(a) == 100 * me + 1, "a coarray is an array");
    xmp_sync_all(NULL);
    int got = a[3]:[right], sum = last:[left] + last:[right] * 2;
    expect(got == 100 * right + 3 && sum == -left - 2 * right, "get");
    int local[12] = {0};
    local[0:5] = a[1:5:2]:[right];
    for (int i = 0; i < 5; i++) expect(local[i] == 100 * right + 1 + 2 * i, "get of a section");
    xmp_sync_all(NULL);
scale:
    [right] = 0.5 + me;
    b[1] [2:3]:[right] = local[0:3] + 1;
    record.x:[right] = me;
    record.y[1]:[right] = me * 0.25;
    plain[me % 8]:[0] = 7 + me;
    int status = -1;
    xmp_sync_all(&status);
    expect(status == XMP_STAT_OK, "status");
    expect(scale == 0.5 + left && record.x == left && record.y[1] == left * 0.25, "put");
    for (int i = 0; i < 3; i++) expect(b[1][2 + i] == 100 * me + 1 + 2 * i + 1, "put of a section");
    if (me == 0)
        for (int i = 0; i < all; i++) expect(plain[i] == 7 + i, "put to image 0");
    a[0:4] = a[4:4]:[me > 0 ? me - 1 : 0];
    for (int i = 0; i < 4; i++) expect(a[i] == 100 * (me > 0 ? me - 1 : 0) + 4 + i, "an image that is computed");
    int pair[2] = {left, right};
    for (int round = 1; round <= 50; round++) {
    last:
        [right] = round;
        xmp_sync_images(2, pair, NULL);
        expect(last == round, "sync_images");
        xmp_sync_images(2, pair, NULL);
    }
    return failures != 0;
}
