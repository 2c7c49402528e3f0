/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_DEALT_LOOPS_H
#define SODE_DEALT_LOOPS_H
/* NOLINTBEGIN(modernize-*,readability-*): this is C */
#include <sode/directives.h>

/* The functions that `sode cc -fopenmp` adds to <sode/directives.h>, for loops over dimensions with the format cyclic(n). Programs
 * do not call these functions.
 *
 * OpenMP needs loops with a constant step. So the loop counts this rank's iterations, 0, 1, ..., and computes each index from the
 * iteration's number. Cost: a division for each iteration. */

#if defined(__cplusplus)
extern "C" {
#endif

/* The number of this rank's indices that are smaller than index `at` of the template or of the nodes. */
static inline int64_t sode_xmp_dealt_below(sode_xmp_share const* s, int64_t at) {
    int64_t const low = at < s->lower ? s->lower : at, i = (low > s->upper ? s->upper : low) - s->origin;
    if (s->chunk == 0) return i;
    int64_t const round = s->chunk * s->nodes, mine = i % round - s->coordinate * s->chunk;
    return i / round * s->chunk + (mine < 0 ? 0 : mine > s->chunk ? s->chunk : mine);
}
/* For a loop on index i + offset: returns the number of this rank's iterations with from <= i < to, and the k-th of these
 * iterations. */
static inline int64_t sode_xmp_dealt(sode_xmp_share const* s, int64_t from, int64_t to, int64_t offset) {
    return from < to ? sode_xmp_dealt_below(s, to + offset) - sode_xmp_dealt_below(s, from + offset) : 0;
}
static inline int64_t sode_xmp_dealt_index(sode_xmp_share const* s, int64_t from, int64_t k, int64_t offset) {
    int64_t const n = sode_xmp_dealt_below(s, from + offset) + k;
    if (s->chunk == 0) return s->origin + n - offset;
    return s->origin + n / s->chunk * s->chunk * s->nodes + s->coordinate * s->chunk + n % s->chunk - offset;
}

#if defined(__cplusplus)
}
#endif
/* NOLINTEND(modernize-*,readability-*) */
#endif
