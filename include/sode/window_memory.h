/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_WINDOW_MEMORY_H
#define SODE_WINDOW_MEMORY_H
/* NOLINTBEGIN(modernize-*,readability-*): this is C */
#include <sode/sode.h>

/* Windows on memory that other ranks cannot access directly, for example device memory. Each rank copies the bytes of its own
 * block. Other ranks send requests to the owner, even on the same machine. For puts, gets, flush and barrier, use the functions in
 * <sode/sode.h>. Operations on window words need host memory, and return SODE_ERROR_USAGE. */

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct {
    void* self;
    /* Packs the bytes that `what` selects into `packed` (to_window 0), or unpacks these bytes from `packed` (to_window 1). Returns
     * 0 if the block has no memory at the moment. The requesting rank then gets SODE_ERROR_USAGE. Runs in the rank's own thread, or
     * in the thread that serves other ranks, but only one call runs at a time. The function must not use windows. */
    int (*move)(void* self, sode_pattern const* what, void* packed, int to_window);
} sode_memory_mover;

/* Creates a window of `bytes` bytes on each rank, which is accessed by the functions in `how`. `how` and all objects to which `how`
 * refers must live as long as the window. The call is collective. The errors are those of sode_window_create(). */
SODE_C_API int sode_window_of_memory(sode_runtime* rt, size_t bytes, sode_memory_mover const* how, char const* name,
                                     sode_window** window);

#if defined(__cplusplus)
}
#endif
/* NOLINTEND(modernize-*,readability-*) */
#endif
