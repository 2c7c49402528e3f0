/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_ACCELERATORS_H
#define SODE_ACCELERATORS_H
/* NOLINTBEGIN(modernize-*,readability-*): this is C */
#include <sode/directives.h>

/* What `sode cc -acc` makes of XcalableACC: OpenACC's data clauses on distributed arrays, and `acc` of XcalableMP's directives.
 * Nobody writes this by hand. `at` is as in <sode/directives.h>; an error ends the program.
 *
 * A distributed array has one copy on the device, of this rank's elements with their shadow. A clause that names a part makes room
 * for all of it and moves the part. Source: P0, and the XcalableACC specification 1.0. */

#if defined(__cplusplus)
extern "C" {
#endif

/* Some elements of an array: `counts` of them in each dimension, `strides` apart, the first one `first` behind the array's pointer;
 * in one piece they begin at `packed`. All in units of `unit` bytes, 1, 2, 4 or 8. Dimensions that are not there have one. */
typedef struct {
    int64_t counts[8], strides[8], first, packed;
    int unit;
} sode_acc_box;

/* OpenACC as the program's own compiler has it. Queues are OpenACC's `async` arguments; `now` is none of them. */
typedef struct {
    void* (*create)(void* host, size_t bytes); /* acc_create() */
    void (*remove)(void* host, size_t bytes);  /* acc_delete() */
    void* (*address)(void* host);              /* acc_deviceptr(); the host's own where both share memory; NULL: it is not there */
    int (*present)(void* host, size_t bytes);
    void (*to_device)(void* device, void const* host, size_t bytes, int queue);
    void (*from_device)(void* host, void const* device, size_t bytes, int queue);
    void* (*allocate)(size_t bytes);
    void (*release)(void* device);
    void (*wait)(int queue);
    void (*wait_all)(void);
    int (*count)(void);     /* of devices; 0: the host */
    void (*use)(int which); /* one of them, from 0 */
    /* Elements of an array on the device, into one piece there, and back. */
    void (*pack)(void* packed, void const* array, sode_acc_box const* box);
    void (*unpack)(void* array, void const* packed, sode_acc_box const* box);
    int now;
} sode_acc_device;
/* What a unit of compilation has. Several say the same. A program that has several devices uses that of its number, counted round,
 * unless ACC_DEVICE_NUM says which. */
SODE_C_API void sode_acc_unit(sode_acc_device const* device);

/* Data clauses. Where an array is on the device already, entering moves nothing; what leaves last moves and ends it. */
enum {
    sode_acc_create = 0,
    sode_acc_copyin = 1,  /* to the device at the beginning */
    sode_acc_copyout = 2, /* to the host at the end */
    sode_acc_copy = 3,
    sode_acc_present = 4,   /* an error if it is not there */
    sode_acc_no_create = 8, /* nothing if it is not there */
    sode_acc_finalize = 16  /* of leaving: it ends however often it was entered */
};
/* `part`: a range of global indices in each dimension, NULL: everything. Of it the elements are moved that this rank has, or has in
 * its shadow. */
SODE_C_API void sode_acc_enter(char const* at, sode_xmp_array* array, int how, sode_range const* part, int queue);
SODE_C_API void sode_acc_exit(char const* at, sode_xmp_array* array, int how, sode_range const* part, int queue);
/* `update device` (1) and `update self` (0). */
SODE_C_API void sode_acc_update(char const* at, sode_xmp_array* array, int to_device, sode_range const* part, int queue,
                                int if_present);
/* Where the element whose indices are all 0 would be on the device; the host's, where the array is not there and need not be. */
SODE_C_API void* sode_acc_base(char const* at, sode_xmp_array* array, int needed);
/* The first local element there: what functions get in `host_data use_device`. */
SODE_C_API void* sode_acc_local(char const* at, sode_xmp_array* array);
/* `declare` in a function: the array leaves when the function does. */
typedef struct {
    sode_xmp_array* array;
    int how;
} sode_acc_declared;
SODE_C_API void sode_acc_declared_leave(sode_acc_declared* declared);

/* The directives of the same names in <sode/directives.h>, about what is on the device. */
SODE_C_API void sode_acc_reflect(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal);
SODE_C_API void sode_acc_reflect_async(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic,
                                       int orthogonal, int number);
SODE_C_API void sode_acc_reflect_init(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic,
                                      int orthogonal);
SODE_C_API void sode_acc_reflect_do(char const* at, sode_xmp_array* array);
SODE_C_API void sode_acc_reflect_do_async(char const* at, sode_xmp_array* array, int number);
SODE_C_API void sode_acc_barrier(char const* at, sode_xmp_set* set);
/* `needed` 0: what is not on the device is combined on the host. */
SODE_C_API void sode_acc_reduce_begin(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type);
SODE_C_API void sode_acc_reduce(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type,
                                int needed);
SODE_C_API void sode_acc_reduce_async(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type,
                                      int number);
SODE_C_API void sode_acc_bcast(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes);
SODE_C_API void sode_acc_bcast_async(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes, int number);
/* `sides`: 1: `to` is on the device, 2: `from` is, 3: both. */
SODE_C_API void sode_acc_gmove(char const* at, sode_xmp_side const* to, sode_xmp_side const* from, int sides);
SODE_C_API void sode_acc_gmove_async(char const* at, sode_xmp_side const* to, sode_xmp_side const* from, int sides, int number);
SODE_C_API void sode_acc_gmove_fill(char const* at, sode_xmp_side const* to, void const* value);

/* Of a loop in a kernel whose bounds depend on an outer one: where this rank's part begins and ends. Blocks only. */
#if defined(_OPENACC)
#pragma acc routine seq
#endif
static inline int64_t sode_acc_first(sode_xmp_share const* s, int64_t begin, int64_t end, int64_t step, int64_t offset) {
    int64_t const lower = s->lower - offset, upper = s->upper - 1 - offset;
    (void)end;
    if (step > 0) return begin >= lower ? begin : begin + (lower - begin + step - 1) / step * step;
    return begin <= upper ? begin : begin - (begin - upper - step - 1) / -step * -step;
}
#if defined(_OPENACC)
#pragma acc routine seq
#endif
static inline int64_t sode_acc_end(sode_xmp_share const* s, int64_t end, int64_t step, int64_t offset) {
    int64_t const upper = s->upper - offset, lower = s->lower - 1 - offset;
    if (step > 0) return end < upper ? end : upper;
    return end > lower ? end : lower;
}

#if defined(__cplusplus)
}
#endif
/* NOLINTEND(modernize-*,readability-*) */
#endif
