/* SPDX-License-Identifier: Apache-2.0 */
/* post and wait, locks, atomic variables, several codimensions, coarrays in other directives. */
#include <stdio.h>
#include <xmp.h>

#define PAIR 2
#pragma xmp nodes p[*]
#pragma xmp template t[16]
#pragma xmp distribute t[block] onto p
int a[16];
#pragma xmp align a[i] with t[i]
int value:[*], list[8]:[*], flag:[*], count:[*];
xmp_lock_t guard:[*], guards[2]:[*];
int first:[PAIR][*];
struct point {
    int x, y[3];
} second[2];
#pragma xmp coarray second : [*][PAIR]

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("image %d of %d: %s\n", xmpc_this_image(), xmp_num_images(), what);
        failures++;
    }
}

int main(void) {
    int const me = xmpc_this_image(), n = xmp_num_images(), next = (me + 1) % n, last = (me + n - 1) % n;
    for (int round = 0; round < 50; round++) {
        value:[next] = 100 * round + me;
#pragma xmp post(p[next], 7)
#pragma xmp wait(p[last], 7)
        expect(value == 100 * round + last, "what was posted");
#pragma xmp post(p[last], round)
#pragma xmp wait(p[next], round)
    }
    /* In another order than they were posted. */
#pragma xmp post(p[next], 1)
#pragma xmp post(p[next], 2)
#pragma xmp post(p[next], 3)
#pragma xmp wait(p[last], 3)
#pragma xmp wait(p[last])
#pragma xmp wait
    xmp_sync_all(NULL);
    if (me == 0)
        for (int k = 1; k < n; k++) {
#pragma xmp wait
        }
    else {
#pragma xmp post(p[0], me)
    }
    xmp_sync_all(NULL);

    for (int round = 0; round < 200; round++) {
#pragma xmp lock(guard:[0])
        count:[0] = count:[0] + 1;
#pragma xmp unlock(guard:[0])
#pragma xmp lock(guards[1]:[n - 1])
        list[3]:[n - 1]++;
#pragma xmp unlock(guards[1]:[n - 1])
    }
#pragma xmp lock(guard)
#pragma xmp unlock(guard)
#pragma xmp sync_memory
    xmp_sync_all(NULL);
    expect(count:[0] == 200 * n && list[3]:[n - 1] == 200 * n, "one at a time");

    if (me == 0) {
        value:[n - 1] = 4711;
        xmp_sync_memory(NULL);
        xmp_atomic_define(flag:[n - 1], 1);
    }
    if (me == n - 1) {
        int seen = 0;
        while (!seen) xmp_atomic_ref(&seen, flag);
        expect(value == 4711, "what was stored before an atomic variable");
        xmp_atomic_ref(&seen, flag:[me]);
        expect(seen == 1, "an atomic variable of an image");
        xmp_atomic_define(list[2], seen + 1);
        expect(list[2] == 2, "one of its own");
    }
    xmp_sync_all(NULL);

    /* The codimension that is written * is the slowest. */
    first = me;
    second[1].y[2] = 10 * me;
    xmp_sync_all(NULL);
    for (int k = 0; k < n; k++) {
        expect(first:[k % PAIR][k / PAIR] == k, "[2][*]");
        expect(second[1].y[2]:[k / PAIR][k % PAIR] == 10 * k, "[*][2]");
    }
    list[0:4] = second[1].y[2]:[0][0] + 1;
    expect(list[0] == 1 && list[3] == 1, "a section that becomes what another image has");
    xmp_sync_all(NULL);

    /* In other directives. */
    value = me;
#pragma xmp reduction(+ : value)
    expect(value == n * (n - 1) / 2, "a reduction of a coarray");
    list[1] = list[2] = me;
#pragma xmp bcast(list [1:2]) from p[n - 1]
    expect(list[1] == n - 1 && list[2] == n - 1, "bcast of a coarray");
#pragma xmp loop on t[i]
    for (int i = 0; i < 16; i++) a[i] = 5 * i;
#pragma xmp gmove
    list[:] = a[4:8];
    expect(list[0] == 20 && list[7] == 55, "gmove to a coarray");
    xmp_sync_all(NULL);
    return failures != 0;
}
