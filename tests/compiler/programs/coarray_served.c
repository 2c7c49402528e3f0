/* SPDX-License-Identifier: Apache-2.0 */
/* What images do to one that computes and calls nothing, and to one that spins on xmp_sync_memory; large sections; members of
 * structures that others change at the same time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>

#define LARGE 50000
double field[LARGE]:[*];
int answers:[*], done:[*], go:[*];
struct two {
    int first[8], second[8];
} shared[3]:[*];
xmp_lock_t guard:[*];

static int failures;

static void expect(int ok, int line) {
    if (!ok) {
        printf("image %d of %d: line %d\n", xmpc_this_image(), xmp_num_images(), line);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

/* What others store while nobody is called. */
static int now(int const* place) {
    return *(int const volatile*)place;
}

int main(void) {
    int const me = xmpc_this_image(), n = xmp_num_images(), right = (me + 1) % n, left = (me + n - 1) % n;
    char const* const served = getenv("SODE_PROGRESS");
    int const by_a_thread = !served || strcmp(served, "calls") != 0;
    answers = 40 + me;
    xmp_sync_all(NULL);
    if (by_a_thread) {
        if (me == 0) {
            double sum = 0;
            for (long k = 1; now(&done) < n - 1; k++) sum += 1.0 / (double)k;
            EXPECT(sum >= 0);
        } else {
            for (int round = 0; round < 4; round++) {
                EXPECT(answers:[0] == 40);
                field[me]:[0] = me + round;
                EXPECT(field[me]:[0] == me + round);
            }
#pragma xmp lock(guard:[0])
            done:[0] += 1;
#pragma xmp unlock(guard:[0])
        }
        xmp_sync_all(NULL);
    }
    if (me == 0) {
        while (go < n - 1) xmp_sync_memory(NULL);
    } else {
#pragma xmp lock(guard:[0])
        go:[0]++;
#pragma xmp unlock(guard:[0])
    }
    xmp_sync_all(NULL);

    double* all = malloc(LARGE * sizeof *all);
    for (int i = 0; i < LARGE; i++) field[i] = 1e6 * me + i;
    xmp_sync_all(NULL);
    all[0:LARGE] = field[0:LARGE]:[right];
    for (int i = 0; i < LARGE; i++)
        if (all[i] != 1e6 * right + i) EXPECT(all[i] == 1e6 * right + i);
    all[0:LARGE / 3] = field[1:LARGE / 3:3]:[left] - field[0:LARGE / 3]:[right];
    for (int i = 0; i < LARGE / 3; i++)
        if (all[i] != 1e6 * left + 3 * i + 1 - (1e6 * right + i)) EXPECT(!"two images in one section");
    xmp_sync_all(NULL);
    field[LARGE - 1:LARGE / 2:-2]:[right] = all[0:LARGE / 2] * 2 + answers:[left];
    field[0:4]:[right] += 5;
    xmp_sync_all(NULL);
    for (int i = 0; i < 4; i += 2) EXPECT(field[i] == 1e6 * me + i + 5);
    free(all);

    /* Each image has a member of its own. */
    if (me < 8) {
        for (int round = 1; round <= 5; round++) {
            shared[1].first[me]:[0] = round;
            shared[1]:[0].second[me] = 100 * round;
            shared[1].second[me]:[0]++;
            int const kept = shared[2].first[me]:[right] = me + round;
            EXPECT(kept == me + round);
        }
    }
    xmp_sync_all(NULL);
    struct two const seen = shared[1]:[0];
    for (int k = 0; k < n && k < 8; k++) EXPECT(seen.first[k] == 5 && seen.second[k] == 501);
    if (left < 8) EXPECT(shared[2].first[left] == left + 5);
    int const maybe = me > 0 ? answers:[me - 1] : -1;
    EXPECT(maybe == (me > 0 ? 39 + me : -1));
    return failures != 0;
}
