/* SPDX-License-Identifier: Apache-2.0 */
/* HPC Challenge, RandomAccess: a table that is distributed over the images is changed at random places, by coarrays. Images change
 * it at once, without locks, so that a few changes may be lost; the rules allow one in a hundred. */
#include <stdint.h>
#include <stdio.h>
#include <xmp.h>

#ifndef LOG_SIZE
#define LOG_SIZE 16 /* of an image's part of the table */
#endif
enum { SIZE = 1 << LOG_SIZE };
#define POLYNOMIAL 7ULL
#define PERIOD 1317624576693539401LL
uint64_t table[SIZE] : [*];

/* The n-th number of the sequence. */
static uint64_t start(int64_t n) {
    while (n < 0) n += PERIOD;
    while (n > PERIOD) n -= PERIOD;
    if (n == 0) return 1;
    uint64_t squares[64], x = 1;
    for (int i = 0; i < 64; i++) {
        squares[i] = x;
        for (int twice = 0; twice < 2; twice++) x = (x << 1) ^ ((int64_t)x < 0 ? POLYNOMIAL : 0);
    }
    int i = 62;
    while (i >= 0 && !(n >> i & 1)) i--;
    x = 2;
    while (i > 0) {
        uint64_t y = 0;
        for (int k = 0; k < 64; k++)
            if (x >> k & 1) y ^= squares[k];
        x = y;
        if (n >> --i & 1) x = (x << 1) ^ ((int64_t)x < 0 ? POLYNOMIAL : 0);
    }
    return x;
}

static void update(void) {
    uint64_t const all = (uint64_t)xmp_num_images() * SIZE;
    int64_t const each = 4 * SIZE;
    uint64_t number = start(each * xmpc_this_image());
    for (int64_t k = 0; k < each; k++) {
        number = (number << 1) ^ ((int64_t)number < 0 ? POLYNOMIAL : 0);
        uint64_t const place = number % all;
        table[place % SIZE] : [(int)(place / SIZE)] ^= number;
    }
}

int main(void) {
    uint64_t const from = (uint64_t)xmpc_this_image() * SIZE;
    for (int i = 0; i < SIZE; i++) table[i] = from + (uint64_t)i;
    xmp_sync_all(NULL);
    double const started = xmp_wtime();
    update();
    xmp_sync_all(NULL);
    double const seconds = xmp_wtime() - started;
    update(); /* takes all changes back */
    xmp_sync_all(NULL);
    long wrong = 0;
    for (int i = 0; i < SIZE; i++) wrong += table[i] != from + (uint64_t)i;
#pragma xmp reduction(+ : wrong)
    long const all = (long)xmp_num_images() * SIZE;
    int const good = wrong <= all / 100;
    if (xmpc_this_image() == 0)
        printf("RandomAccess, %ld words, %d images: %.4f GUPS, %ld changes lost: %s\n", all, xmp_num_images(),
               4e-9 * (double)all / seconds, wrong, good ? "verified" : "WRONG");
    return !good;
}
