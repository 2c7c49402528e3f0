/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_ACCELERATORS_H
#define SODE_ACCELERATORS_H
/* NOLINTBEGIN(modernize-*,readability-*): this is C */
#include <sode/directives.h>

/* The functions that `sode cc -acc` calls for XcalableACC: OpenACC data clauses on distributed arrays, and the clause `acc` of
 * XcalableMP directives. Programs do not call these functions. `at` is the source location, as in <sode/directives.h>. An error
 * ends the program.
 *
 * A distributed array has one copy on the device: this rank's elements with their shadow. A clause that selects a part of the array
 * allocates memory for the whole copy, but transfers only this part. Source: XcalableACC specification 1.0; Odajima et al., hybrid
 * halo exchange, IPSJ TACS 8(4), 2015. */

#if defined(__cplusplus)
extern "C" {
#endif

/* Some elements of an array: `counts` elements in each dimension, `strides` apart. The first element is `first` units after the
 * start of the array. In packed form, the elements begin at `packed`. All numbers count units of `unit` bytes: 1, 2, 4 or 8. Unused
 * dimensions have count 1. */
typedef struct {
    int64_t counts[8], strides[8], first, packed;
    int unit;
} sode_acc_box;

/* OpenACC functions that the program's compiler provides. A queue number is an argument of OpenACC's `async` clause; `now` means
 * that there is no queue. */
typedef struct {
    void* (*create)(void* host, size_t bytes); /* acc_create() */
    void (*remove)(void* host, size_t bytes);  /* acc_delete() */
    void* (*address)(void* host);              /* acc_deviceptr(); the host address if both share memory; NULL: not on the device */
    int (*present)(void* host, size_t bytes);
    void (*to_device)(void* device, void const* host, size_t bytes, int queue);
    void (*from_device)(void* host, void const* device, size_t bytes, int queue);
    void* (*allocate)(size_t bytes);
    void (*release)(void* device);
    void (*wait)(int queue);
    void (*wait_all)(void);
    int (*count)(void);     /* number of devices; 0: the host */
    void (*use)(int which); /* selects a device, from 0 */
    /* Packs array elements on the device into a contiguous buffer on the device, and unpacks them. */
    void (*pack)(void* packed, void const* array, sode_acc_box const* box);
    void (*unpack)(void* array, void const* packed, sode_acc_box const* box);
    int now, some;      /* acc_async_sync; acc_async_noval */
    int (*which)(void); /* number of the selected device */
} sode_acc_device;
/* Registers the OpenACC functions of a translation unit; every translation unit registers the same functions. If there are several
 * devices, rank r uses device r modulo the number of devices, unless ACC_DEVICE_NUM selects a device. */
SODE_C_API void sode_acc_unit(sode_acc_device const* device);

/* Data clauses. If the array is already on the device, entering transfers nothing. The last exit transfers the data and frees the
 * copy. */
enum {
    sode_acc_create = 0,
    sode_acc_copyin = 1,  /* copied to the device at entry */
    sode_acc_copyout = 2, /* copied to the host at exit */
    sode_acc_copy = 3,
    sode_acc_present = 4,   /* error if the array is not on the device */
    sode_acc_no_create = 8, /* no effect if the array is not on the device */
    sode_acc_finalize = 16  /* at exit: frees the copy, even if there were more entries than exits */
};
/* `part`: a range of global indices in each dimension; NULL: the whole array. Transfers the elements of `part` that this rank owns
 * or has in its shadow. */
SODE_C_API void sode_acc_enter(char const* at, sode_xmp_array* array, int how, sode_range const* part, int queue);
SODE_C_API void sode_acc_exit(char const* at, sode_xmp_array* array, int how, sode_range const* part, int queue);
/* `update device` (1) and `update self` (0). */
SODE_C_API void sode_acc_update(char const* at, sode_xmp_array* array, int to_device, sode_range const* part, int queue,
                                int if_present);
/* The device address at which element (0, 0, …) would be. If the array is not on the device: the host address; with `needed`, an
 * error. */
SODE_C_API void* sode_acc_base(char const* at, sode_xmp_array* array, int needed);
/* Device address of the first local element. `host_data use_device` passes this address to functions. */
SODE_C_API void* sode_acc_local(char const* at, sode_xmp_array* array);
/* `declare` in a function: the copy on the device ends when the function returns. */
typedef struct {
    sode_xmp_array* array;
    int how;
} sode_acc_declared;
SODE_C_API void sode_acc_declared_leave(sode_acc_declared* declared);

/* Several devices of a node: `acc devices d[2] = nvidia[2:2]`. */
typedef struct {
    char const* name;
    int count, first;
} sode_acc_devices;
/* `count` devices (0: all) from number `first` on. `length`: number of devices in the declaration; -1: the declaration has no
 * number. `there`: number of devices of this kind. */
SODE_C_API sode_acc_devices sode_acc_devices_of(char const* at, char const* name, int64_t count, int64_t first, int64_t length,
                                                int there);
/* sode_acc_devices_among(): a subset of another set of devices. sode_acc_default_devices(): the devices of the default kind.
 * sode_acc_some_devices(): some devices of a set, counted from 0. */
SODE_C_API sode_acc_devices sode_acc_devices_among(char const* at, char const* name, int64_t count, int64_t first, int64_t length,
                                                   sode_acc_devices const* all);
SODE_C_API sode_acc_devices* sode_acc_default_devices(void);
SODE_C_API sode_acc_devices* sode_acc_some_devices(char const* at, sode_acc_devices const* all, int64_t first, int64_t length);
/* Selects device `which` of a set; -1 selects this rank's own device again, and `devices` may be NULL. */
SODE_C_API void sode_acc_use(sode_acc_devices const* devices, int which);
/* Waits for queue `queue`, or with `all` for all queues, on each device of a set; NULL: on all devices that the program has
 * used. */
SODE_C_API void sode_acc_wait_devices(sode_acc_devices const* devices, int queue, int all);
/* Applies the clauses `on_device` and `layout` of a directive, before its data clauses. Dimension `dim` is split into blocks, one
 * for each device; -1: there is no `layout`. `below`, `above`: the shadow of a block; -1: the shadow of the array. */
SODE_C_API void sode_acc_lay_out(char const* at, sode_xmp_array* array, sode_acc_devices const* devices, int dim, int64_t below,
                                 int64_t above);
/* The clause `layout(a[i])` of a loop: returns the part of this rank's share that device `which` computes. `shift`: template index
 * minus array index in an iteration. */
SODE_C_API sode_xmp_share sode_acc_share(char const* at, sode_xmp_share share, sode_xmp_array* array,
                                         sode_acc_devices const* devices, int which, int dim, int64_t shift);
/* sode_acc_base() for the selected device `which` of a set. `split`: the loop has a layout. */
SODE_C_API void* sode_acc_base_on(char const* at, sode_xmp_array* array, sode_acc_devices const* devices, int which, int split);
/* Reports an error if the array is not on these devices. `if_there`: no error if the array is on no device. */
SODE_C_API void sode_acc_on_devices(char const* at, sode_xmp_array* array, sode_acc_devices const* devices, int if_there);
/* For a reduction in a construct that several devices execute in turn: reports an error if the variable is on one of these
 * devices. */
SODE_C_API void sode_acc_reduced(char const* at, sode_acc_devices const* devices, char const* name, void* value, size_t bytes);
/* `acc reflect`: exchanges the halos between the devices of a node. */
SODE_C_API void sode_acc_reflect_devices(char const* at, sode_xmp_array* array);

/* Like the functions for the same directives in <sode/directives.h>, but for data on the device. */
SODE_C_API void sode_acc_reflect(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal);
SODE_C_API void sode_acc_reflect_async(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic,
                                       int orthogonal, int number);
SODE_C_API void sode_acc_reflect_init(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic,
                                      int orthogonal);
SODE_C_API void sode_acc_reflect_do(char const* at, sode_xmp_array* array);
SODE_C_API void sode_acc_reflect_do_async(char const* at, sode_xmp_array* array, int number);
SODE_C_API void sode_acc_barrier(char const* at, sode_xmp_set* set);
/* If `needed` is 0, values that are not on the device are combined on the host. */
SODE_C_API void sode_acc_reduce_begin(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type);
SODE_C_API void sode_acc_reduce(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type,
                                int needed);
SODE_C_API void sode_acc_reduce_async(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type,
                                      int number);
SODE_C_API void sode_acc_bcast(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes);
SODE_C_API void sode_acc_bcast_async(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes, int number);
SODE_C_API void sode_acc_reduce_array(char const* at, sode_xmp_set* set, sode_op op, sode_xmp_array* array);
SODE_C_API void sode_acc_bcast_array(char const* at, sode_xmp_set* set, sode_xmp_set* from, sode_xmp_array* array);
/* `sides`: the sides that are on the device. 1: `to`; 2: `from`; 3: both. */
SODE_C_API void sode_acc_gmove(char const* at, sode_xmp_side const* to, sode_xmp_side const* from, int sides);
SODE_C_API void sode_acc_gmove_async(char const* at, sode_xmp_side const* to, sode_xmp_side const* from, int sides, int number);
SODE_C_API void sode_acc_gmove_fill(char const* at, sode_xmp_side const* to, void const* value);

/* Coarrays. Makes the copy of a coarray on each image's device accessible to the other images. `memory`: the coarray on this image.
 * Does nothing if the device shares the host's memory. Collective. */
SODE_C_API void sode_acc_coarray(void* memory);
/* One side of an assignment in a `host_data use_device` region: elements of `bytes` bytes, counts[d] times in dimension d,
 * strides[d] bytes apart. */
typedef struct {
    int image;   /* the image that owns the elements; -1: this image */
    void* first; /* first element; for another image: the corresponding address on this image */
    int device;  /* 1: `first` is a device address, because `use_device` lists the variable */
    size_t bytes;
    int dims;
    int64_t counts[7], strides[7];
} sode_acc_side;
/* Copies elements. All elements are read before any element is written. When the function returns, the program may change its own
 * elements again. Copies to another image are complete after the next statement that synchronises images. */
SODE_C_API void sode_acc_assign(char const* at, sode_acc_side const* to, sode_acc_side const* from);

/* For `reduction` and `bcast`: packs non-contiguous elements on this image's device into `*bytes` bytes of host memory.
 * sode_acc_unpacked() copies the elements back and frees the memory. `first` is a host address. If `needed` is 0, elements that are
 * not on the device are read from the host. */
SODE_C_API void* sode_acc_packed(char const* at, sode_acc_side const* what, size_t* bytes, int needed);
SODE_C_API void sode_acc_unpacked(char const* at, sode_acc_side const* what, void* packed);

/* For a loop in a kernel, if its bounds depend on an outer loop: computes the first index and the end of this rank's part. Block
 * distributions only. */
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
