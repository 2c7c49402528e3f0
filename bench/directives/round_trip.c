/* SPDX-License-Identifier: Apache-2.0 */
/* How far the first two cores of this process are apart: prints the nanoseconds in which a cache line goes there and back. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { rounds = 20000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void stay_on(int wanted) {
    cpu_set_t all, one;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&one);
    for (int c = 0; c < CPU_SETSIZE; c++)
        if (CPU_ISSET(c, &all) && wanted-- == 0) CPU_SET(c, &one);
    sched_setaffinity(0, sizeof one, &one);
}

int main(void) {
    _Atomic long* const ball = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (ball == MAP_FAILED) return 1;
    int const second = fork() == 0;
    stay_on(second);
    double best = 1e30;
    for (long turn = 0; turn < 10; turn++) {
        double const begin = now();
        for (long k = turn * rounds; k < (turn + 1) * rounds; k++) {
            while (atomic_load_explicit(ball, memory_order_acquire) != 2 * k + second)
                ;
            atomic_store_explicit(ball, 2 * k + second + 1, memory_order_release);
        }
        double const took = (now() - begin) / rounds;
        best = took < best ? took : best;
    }
    if (second) return 0;
    printf("%.0f\n", best);
    return wait(NULL) < 0;
}
