/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_CHECKED_H
#define SODE_CHECKED_H
/* NOLINTBEGIN(modernize-*,readability-*): this is C */
#include <sode/directives.h>

/* What `sode cc -fsode-check` adds to <sode/directives.h>. Nobody writes this by hand.
 *
 * Each reference to an element of a distributed array asks whether this rank may do that. A mistake ends the program with a message
 * that names the array, its indices, the line, and what is missing. Cost: a call for each reference, a byte for each local element,
 * and a few hundred bytes from each executing node when an outermost `loop` ends. */

#if defined(__cplusplus)
extern "C" {
#endif

/* The unit is checked: arrays that are made from now on are watched. */
SODE_C_API void sode_xmp_check(void);

/* What is done with an element. Added up. */
enum {
    sode_xmp_reads = 1,
    sode_xmp_writes = 2,
    sode_xmp_adds = 4 /* halos may be written: a reduce_shadow adds them to their owners' elements */
};
/* Where element indices[0], indices[1], ... lies, of which nothing (0: its address is taken) or the above is done. */
SODE_C_API void* sode_xmp_element(char const* at, sode_xmp_array const* array, int how, int64_t const* indices);
/* Index `index` of dimension `dim`, of a row whose other indices are not known here. */
SODE_C_API int64_t sode_xmp_row(char const* at, sode_xmp_array const* array, int dim, int64_t index);

/* A `loop`, or an assignment below `array`, begins and ends. All executing nodes come here, unless one of these is open, or they
 * are in a task with `nocomm`. `expands`: halos may be written. */
SODE_C_API void sode_xmp_check_begin(int expands);
SODE_C_API void sode_xmp_check_end(char const* at, int expands);

#if defined(__cplusplus)
}
#endif
/* NOLINTEND(modernize-*,readability-*) */
#endif
