/* SPDX-License-Identifier: Apache-2.0 */
/* Coarrays on devices: images put and get between devices, between a device and the host, and with sections of all kinds. Kernels
 * compute with what has come. On the stand-in device a missing clause or update makes this program fail. */
#include <stdio.h>
#include <xmp.h>

#define N 64
#define M 5
static int a[N] : [*], c[N] : [*];
static double grid[N][M] : [*];
static int sum : [*];
static int host_only[N] : [*];
static int b[N];
static int later[N] : [*];
#pragma acc declare create(a, b, grid)
#pragma acc declare create(c)
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmpc_this_image() == 0) printf("%d wrong: %s\n", wrong, what);
}
/* What every image has on its device at first; on the host there is something else. */
static void set(int base) {
#pragma acc parallel loop present(a, b, c)
    for (int i = 0; i < N; i++) a[i] = -1, b[i] = base + i, c[i] = base + 100 + i;
#pragma acc parallel loop present(grid)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) grid[i][j] = base + 10 * i + j;
    for (int i = 0; i < N; i++) a[i] = b[i] = c[i] = -7;
    xmp_sync_all(NULL);
}
/* 1: a put between devices, and a kernel of the target */
static void whole_puts(void) {
    int me = xmpc_this_image(), all = xmp_num_images(), right = (me + 1) % all, left = (me + all - 1) % all, wrong = 0;
    set(1000 * me);
#pragma acc host_data use_device(a, b)
    { a [0:N] : [right] = b [0:N]; }
    xmp_sync_all(NULL);
#pragma acc parallel loop present(a)
    for (int i = 0; i < N; i++) a[i] = 2 * a[i];
#pragma acc update self(a)
    for (int i = 0; i < N; i++) wrong += a[i] != 2 * (1000 * left + i) || b[i] != -7;
    check(wrong, "put");
}
/* 2: gets, of a coarray into another one and into what is none */
static void gets(void) {
    int me = xmpc_this_image(), all = xmp_num_images(), right = (me + 1) % all, wrong = 0;
    set(1000 * me);
#pragma acc host_data use_device(a, b, c)
    {
        a [0:N / 2] = c [N / 2:N / 2] : [right];
        b [3:10:2] = c [0:10:3] : [right];
    }
#pragma acc update self(a [0:N / 2], b)
    for (int i = 0; i < N / 2; i++) wrong += a[i] != 1000 * right + 100 + N / 2 + i;
    for (int i = 0; i < N; i++)
        wrong += b[i] != (i >= 3 && i < 23 && i % 2 == 1 ? 1000 * right + 100 + (i - 3) / 2 * 3 : 1000 * me + i);
    check(wrong, "get");
    xmp_sync_all(NULL);
}
/* 3: one side is the host's */
static void one_side(void) {
    int me = xmpc_this_image(), all = xmp_num_images(), right = (me + 1) % all, left = (me + all - 1) % all, wrong = 0, x[N], one;
    set(1000 * me);
    for (int i = 0; i < N; i++) x[i] = 5000 * me + i;
#pragma acc host_data use_device(a)
    {
        a [0:10] : [right] = x [20:10]; /* from the host to a device */
        a[12] : [right] = me + 7;       /* a value */
        a [20:5] : [right] = 77;
        a[13] : [right] = x[1];
    }
    xmp_sync_all(NULL);
#pragma acc host_data use_device(c)
    {
        x [0:N] = c [0:N] : [right]; /* from a device to the host */
        one = c[9] : [right] + c[10] : [right];
    }
#pragma acc host_data use_device(b)
    host_only [0:N] : [right] = b [0:N]; /* from this device to the host of another image */
    xmp_sync_all(NULL);
#pragma acc parallel loop present(a)
    for (int i = 0; i < N; i++) a[i] += 1;
#pragma acc update self(a)
    for (int i = 0; i < 10; i++) wrong += a[i] != 5000 * left + 20 + i + 1;
    wrong += a[10] != 0 || a[12] != left + 8 || a[13] != 5000 * left + 2;
    for (int i = 20; i < 25; i++) wrong += a[i] != 78;
    for (int i = 0; i < N; i++) wrong += x[i] != 1000 * right + 100 + i || host_only[i] != 1000 * left + i;
    wrong += one != 2 * (1000 * right + 100) + 19;
    check(wrong, "one side on the host");
}
/* 4: two dimensions, steps in both: more pieces than are copied one by one */
static void planes(void) {
    int me = xmpc_this_image(), all = xmp_num_images(), right = (me + 1) % all, wrong = 0;
    double local[N][M];
    set(1000 * me);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) local[i][j] = 0;
#pragma acc data copy(local)
    {
#pragma acc host_data use_device(grid, local)
        {
            local[:] [0:2] = grid[:] [1:2:2] : [right];
            grid [0:20:3] [4:1] : [right] = local [1:20:2] [0:1];
        }
    }
    xmp_sync_all(NULL);
#pragma acc update self(grid)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            double const is = j == 4 && i < 60 && i % 3 == 0 ? 1000 * me + 10 * (1 + i / 3 * 2) + 1 : 1000 * me + 10 * i + j;
            wrong += grid[i][j] != is;
            wrong += local[i][j] != (j < 2 ? 1000 * right + 10 * i + 1 + 2 * j : 0);
        }
    check(wrong, "planes");
    xmp_sync_all(NULL);
}
/* 5: what overlaps, on this image and between elements of one coarray */
static void overlapping(void) {
    int me = xmpc_this_image(), wrong = 0;
    set(1000 * me);
#pragma acc host_data use_device(c)
    c [1:N - 1] : [me] = c [0:N - 1];
#pragma acc update self(c)
    wrong += c[0] != 1000 * me + 100;
    for (int i = 1; i < N; i++) wrong += c[i] != 1000 * me + 100 + i - 1;
    check(wrong, "an overlap");
    xmp_sync_all(NULL);
}
/* 6: from image to image, pairs that synchronise, and a scalar */
static void pairs(void) {
    int me = xmpc_this_image(), all = xmp_num_images(), wrong = 0;
    set(1000 * me);
    sum = me + 5;
#pragma acc enter data copyin(sum)
    sum = -5;
    xmp_sync_all(NULL);
    if (me == 0) {
        int total = 0;
        for (int k = 0; k < all; k++) {
#pragma acc host_data use_device(sum)
            total += sum : [k];
        }
        wrong += total != all * (all - 1) / 2 + 5 * all;
        for (int k = 1; k < all; k++) {
#pragma acc host_data use_device(sum, a, c)
            {
            sum:
                [k] = total;
                a [2:3] : [k] = c [5:3] : [all - 1];
            }
            xmp_sync_image(k, NULL);
        }
    } else {
        xmp_sync_image(0, NULL);
#pragma acc parallel loop present(a, sum)
        for (int i = 0; i < N; i++) a[i] += sum;
#pragma acc update self(a [2:3])
        for (int i = 2; i < 5; i++) wrong += a[i] != 1000 * (all - 1) + 100 + i + 3 + all * (all - 1) / 2 + 5 * all;
    }
    xmp_sync_all(NULL);
#pragma acc exit data delete (sum)
    check(wrong, "pairs of images");
}
/* 7: without `host_data` it is the host's */
static void hosts(void) {
    int me = xmpc_this_image(), all = xmp_num_images(), right = (me + 1) % all, left = (me + all - 1) % all, wrong = 0;
    set(1000 * me);
    a [0:4] : [right] = c [0:4];
    xmp_sync_all(NULL);
    for (int i = 0; i < N; i++) wrong += a[i] != -7;
    xmp_sync_all(NULL);
#pragma acc update self(c [0:4])
    a [0:4] : [right] = c [0:4];
    xmp_sync_all(NULL);
    for (int i = 0; i < N; i++) wrong += a[i] != (i < 4 ? 1000 * left + 100 + i : -7);
    check(wrong, "the host's own");
    xmp_sync_all(NULL);
}
/* 8: data clauses of a construct, implicit ones, and a part of a coarray */
static void clauses(void) {
    int me = xmpc_this_image(), all = xmp_num_images(), right = (me + 1) % all, left = (me + all - 1) % all, wrong = 0;
    for (int i = 0; i < N; i++) later[i] = 1000 * me + i;
    xmp_sync_all(NULL);
#pragma acc data copy(later [0:N / 2])
    {
        xmp_sync_all(NULL);
#pragma acc host_data use_device(later)
        later [0:8] : [right] = later [8:8];
        xmp_sync_all(NULL);
    }
    for (int i = 0; i < N; i++) wrong += later[i] != (i < 8 ? 1000 * left + i + 8 : 1000 * me + i);
#pragma acc parallel loop
    for (int i = 0; i < N; i++) later[i] += 1;
    for (int i = 0; i < N; i++) wrong += later[i] != (i < 8 ? 1000 * left + i + 8 : 1000 * me + i) + 1;
    check(wrong, "clauses");
    xmp_sync_all(NULL);
}
/* 9: many small puts of all images to one, ordered by a post */
#pragma xmp nodes p[*]
static void ordered(void) {
    int me = xmpc_this_image(), all = xmp_num_images(), wrong = 0;
    set(1000 * me);
    for (int round = 0; round < 10; round++) {
        if (me > 0) {
#pragma acc host_data use_device(a, b)
            for (int i = 0; i < 4; i++) a[4 * me + i] : [0] = b[i + round];
#pragma xmp post(p[0], round)
        } else {
            for (int k = 1; k < all; k++) {
#pragma xmp wait(p[k], round)
            }
#pragma acc parallel loop present(a)
            for (int i = 4; i < 4 * all; i++) a[i] -= 1;
#pragma acc update self(a [0:4 * all])
            for (int i = 4; i < 4 * all; i++) wrong += a[i] != 1000 * (i / 4) + i % 4 + round - 1;
        }
        xmp_sync_all(NULL);
    }
    check(wrong, "ordered puts");
}
int main(void) {
    whole_puts();
    gets();
    one_side();
    planes();
    overlapping();
    pairs();
    pairs();
    hosts();
    clauses();
    ordered();
    return failures != 0;
}
