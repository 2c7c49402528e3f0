/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_CHECKED_H
#define SODE_CHECKED_H
/* NOLINTBEGIN(modernize-*,readability-*): this is C */
#include <sode/directives.h>

/* The functions that `sode cc -fsode-check` adds to <sode/directives.h>. Programs do not call these functions.
 *
 * Each reference to an element of a distributed array is checked: may this rank access the element? An invalid access ends the
 * program. The message gives the array, the indices and the source line, and says how to correct the access. Cost: a function call
 * for each reference, a byte of memory for each local element, and a few hundred bytes sent by each executing node when an
 * outermost `loop` ends. */

#if defined(__cplusplus)
extern "C" {
#endif

/* Enables checks in a translation unit: arrays created from now on are checked. */
SODE_C_API void sode_xmp_check(void);

/* Kinds of access to an element. Kinds can be combined by addition. */
enum {
    sode_xmp_reads = 1,
    sode_xmp_writes = 2,
    sode_xmp_adds = 4 /* halos may be written: reduce_shadow adds each halo element to the element on its owner */
};
/* Returns the address of element (indices[0], indices[1], ...). `how` gives the kinds of access. 0: the program uses only the
 * address. */
SODE_C_API void* sode_xmp_element(char const* at, sode_xmp_array const* array, int how, int64_t const* indices);
/* Checks index `index` of dimension `dim` for a row of an array. The other indices are not known to this function. */
SODE_C_API int64_t sode_xmp_row(char const* at, sode_xmp_array const* array, int dim, int64_t index);

/* Start and end of a `loop`, or of an assignment with the directive `array`. All executing nodes call these functions, except
 * inside another loop that is checked, and in a task with `nocomm`. `expands`: the loop may write halos. */
SODE_C_API void sode_xmp_check_begin(int expands);
SODE_C_API void sode_xmp_check_end(char const* at, int expands);

#if defined(__cplusplus)
}
#endif
/* NOLINTEND(modernize-*,readability-*) */
#endif
