/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_CHECKED_H
#define SODE_CHECKED_H
/* NOLINTBEGIN(modernize-*,readability-*): this is C */
#include <sode/directives.h>

/* The functions that `sode cc -fsode-check` adds to <sode/directives.h>. Programs do not call these functions.
 *
 * Each reference to an element of a distributed array checks whether this rank may access it. A mistake ends the program. The
 * message names the array, the indices and the line, and says how to correct the mistake. Cost: a call for each reference, a byte
 * for each local element, and a few hundred bytes from each executing node when an outermost `loop` ends. */

#if defined(__cplusplus)
extern "C" {
#endif

/* Turns checks on for a unit of compilation: arrays made from now on are watched. */
SODE_C_API void sode_xmp_check(void);

/* Kinds of access to an element. Kinds can be added. */
enum {
    sode_xmp_reads = 1,
    sode_xmp_writes = 2,
    sode_xmp_adds = 4 /* halos may be written: reduce_shadow adds each halo element to the element of its owner */
};
/* The address of element (indices[0], indices[1], ...), for accesses of the kinds `how`. 0: the program only takes the address. */
SODE_C_API void* sode_xmp_element(char const* at, sode_xmp_array const* array, int how, int64_t const* indices);
/* Checks index `index` of dimension `dim` for a row. The other indices are unknown here. */
SODE_C_API int64_t sode_xmp_row(char const* at, sode_xmp_array const* array, int dim, int64_t index);

/* Start and end of a `loop`, or of an assignment under the directive `array`. All executing nodes call these functions, except
 * inside such a loop and in a task with `nocomm`. `expands`: halos may be written. */
SODE_C_API void sode_xmp_check_begin(int expands);
SODE_C_API void sode_xmp_check_end(char const* at, int expands);

#if defined(__cplusplus)
}
#endif
/* NOLINTEND(modernize-*,readability-*) */
#endif
