/* SPDX-License-Identifier: Apache-2.0 */
/* What `reflect_do` costs beside the two calls of the C face that it makes, on one rank. Prints nanoseconds of either. */
#include <sode/sode.h>
#include <stdio.h>
#include <xmp.h>

#pragma xmp nodes p[*]
#pragma xmp template t[64]
#pragma xmp distribute t[block] onto p
double u[64];
#pragma xmp align u[i] with t[i]
#pragma xmp shadow u[1]

int main(void) {
    enum { calls = 200000 };
    sode_runtime* rt;
    sode_grid* g;
    sode_array* w;
    sode_exchange* halo;
    if (sode_init(0, NULL, &rt) || sode_grid_create(rt, 1, (int64_t[]){64}, NULL, &g) ||
        sode_array_create(g, SODE_DOUBLE, (int64_t[]){1, 1}, "u", &w) || sode_exchange_create(1, &w, NULL, &halo)) {
        fputs(sode_error_text(rt), stderr);
        return 1;
    }
    double by_directive = 1e30, by_hand = 1e30;
#pragma xmp reflect_init(u)
    for (int round = 0; round < 10; round++) {
        double begin = xmp_wtime();
        for (int k = 0; k < calls; k++) {
#pragma xmp reflect_do(u)
        }
        double took = (xmp_wtime() - begin) * 1e9 / calls;
        by_directive = took < by_directive ? took : by_directive;
        begin = xmp_wtime();
        for (int k = 0; k < calls; k++) {
            if (sode_exchange_start(halo)) return 1;
            if (sode_exchange_wait(halo)) return 1;
        }
        took = (xmp_wtime() - begin) * 1e9 / calls;
        by_hand = took < by_hand ? took : by_hand;
    }
    printf("%.1f %.1f\n", by_directive, by_hand);
    sode_exchange_destroy(halo);
    sode_array_destroy(w);
    sode_grid_destroy(g);
    sode_finalize(rt);
    return 0;
}
