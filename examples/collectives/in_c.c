/* SPDX-License-Identifier: Apache-2.0 */
/* The same from C: sums of all ranks, planned once.     sode run -n 4 ./collective_in_c */
#include <sode/sode.h>

#include <stdio.h>

int main(int argc, char** argv) {
    sode_runtime* rt = NULL;
    sode_collective* sums = NULL;
    double mine[3], all[3] = {0};
    if (sode_init(argc, argv, &rt) != SODE_OK || sode_allreduce_init(rt, mine, all, 3, SODE_DOUBLE, SODE_SUM, &sums) != SODE_OK) {
        fputs(sode_error_text(rt), stderr);
        sode_finalize(rt);
        return 1;
    }
    for (int step = 0; step < 10; ++step) {
        for (int i = 0; i < 3; ++i) mine[i] = sode_rank(rt) + i + step;
        if (sode_collective_start(sums) != SODE_OK || sode_collective_wait(sums) != SODE_OK) fputs(sode_error_text(rt), stderr);
    }
    int const ranks = sode_size(rt), right = all[2] == ranks * (ranks - 1) / 2 + 11 * ranks;
    if (sode_rank(rt) == 0) printf("%g %g %g\n", all[0], all[1], all[2]);
    sode_collective_destroy(sums);
    sode_finalize(rt);
    return right ? 0 : 1;
}
