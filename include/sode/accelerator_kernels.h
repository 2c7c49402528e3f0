/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_ACCELERATOR_KERNELS_H
#define SODE_ACCELERATOR_KERNELS_H
/* NOLINTBEGIN(modernize-*,readability-*,bugprone-*,misc-*): this is C */
#include <sode/accelerators.h>

/* The parts of XcalableACC that the program's OpenACC compiler must compile: calls to OpenACC functions, and kernels that pack
 * halos. Only the program's compiler can generate code for the device. `sode cc -acc` includes this header. Without OpenACC the
 * header is empty. */
#if defined(_OPENACC)
#include <openacc.h>
#include <stdlib.h>

static inline void* sode_acc_use_create(void* host, size_t bytes) {
    return acc_create(host, bytes);
}
static inline void sode_acc_use_remove(void* host, size_t bytes) {
    acc_delete(host, bytes);
}
static inline void* sode_acc_use_address(void* host) {
    return acc_deviceptr(host);
}
static inline int sode_acc_use_present(void* host, size_t bytes) {
    return acc_is_present(host, bytes);
}
static inline void sode_acc_use_to_device(void* device, void const* host, size_t bytes, int queue) {
    if (queue == acc_async_sync)
        acc_memcpy_to_device(device, (void*)host, bytes);
    else
        acc_memcpy_to_device_async(device, (void*)host, bytes, queue);
}
static inline void sode_acc_use_from_device(void* host, void const* device, size_t bytes, int queue) {
    if (queue == acc_async_sync)
        acc_memcpy_from_device(host, (void*)device, bytes);
    else
        acc_memcpy_from_device_async(host, (void*)device, bytes, queue);
}
static inline void* sode_acc_use_allocate(size_t bytes) {
    return acc_malloc(bytes);
}
static inline void sode_acc_use_release(void* device) {
    acc_free(device);
}
static inline void sode_acc_use_wait(int queue) {
    acc_wait(queue);
}
static inline void sode_acc_use_wait_all(void) {
    acc_wait_all();
}
static inline int sode_acc_use_count(void) {
    acc_device_t const kind = acc_get_device_type();
    return kind == acc_device_host ? 0 : acc_get_num_devices(kind);
}
static inline void sode_acc_use_device(int which) {
    acc_set_device_num(which, acc_get_device_type());
}
static inline int sode_acc_use_current(void) {
    return acc_get_device_num(acc_get_device_type());
}

/* Element k of a box is at index `at` in its array, and at index packed + k in the pack buffer. */
#define SODE_ACC_MOVER(name, type, to, from)                                                                                       \
    static inline void name(type* array, type* piece, sode_acc_box const* b) {                                                     \
        int64_t const c1 = b->counts[1], c2 = b->counts[2], c3 = b->counts[3], c4 = b->counts[4], c5 = b->counts[5],               \
                      c6 = b->counts[6], c7 = b->counts[7], s0 = b->strides[0], s1 = b->strides[1], s2 = b->strides[2],            \
                      s3 = b->strides[3], s4 = b->strides[4], s5 = b->strides[5], s6 = b->strides[6], s7 = b->strides[7],          \
                      first = b->first, packed = b->packed, all = b->counts[0] * c1 * c2 * c3 * c4 * c5 * c6 * c7;                 \
        _Pragma("acc parallel loop deviceptr(array, piece)") for (int64_t k = 0; k < all; k++) {                                   \
            int64_t const k6 = k / c7, k5 = k6 / c6, k4 = k5 / c5, k3 = k4 / c4, k2 = k3 / c3, k1 = k2 / c2, k0 = k1 / c1;         \
            int64_t const at = first + k % c7 * s7 + k6 % c6 * s6 + k5 % c5 * s5 + k4 % c4 * s4 + k3 % c3 * s3 + k2 % c2 * s2 +    \
                               k1 % c1 * s1 + k0 * s0;                                                                             \
            to = from;                                                                                                             \
        }                                                                                                                          \
    }
SODE_ACC_MOVER(sode_acc_pack_1, uint8_t, piece[packed + k], array[at])
SODE_ACC_MOVER(sode_acc_pack_2, uint16_t, piece[packed + k], array[at])
SODE_ACC_MOVER(sode_acc_pack_4, uint32_t, piece[packed + k], array[at])
SODE_ACC_MOVER(sode_acc_pack_8, uint64_t, piece[packed + k], array[at])
SODE_ACC_MOVER(sode_acc_unpack_1, uint8_t, array[at], piece[packed + k])
SODE_ACC_MOVER(sode_acc_unpack_2, uint16_t, array[at], piece[packed + k])
SODE_ACC_MOVER(sode_acc_unpack_4, uint32_t, array[at], piece[packed + k])
SODE_ACC_MOVER(sode_acc_unpack_8, uint64_t, array[at], piece[packed + k])
#undef SODE_ACC_MOVER

static inline void sode_acc_use_pack(void* packed, void const* array, sode_acc_box const* box) {
    switch (box->unit) {
    case 1: sode_acc_pack_1((uint8_t*)array, (uint8_t*)packed, box); return;
    case 2: sode_acc_pack_2((uint16_t*)array, (uint16_t*)packed, box); return;
    case 4: sode_acc_pack_4((uint32_t*)array, (uint32_t*)packed, box); return;
    default: sode_acc_pack_8((uint64_t*)array, (uint64_t*)packed, box); return;
    }
}
static inline void sode_acc_use_unpack(void* array, void const* packed, sode_acc_box const* box) {
    switch (box->unit) {
    case 1: sode_acc_unpack_1((uint8_t*)array, (uint8_t*)packed, box); return;
    case 2: sode_acc_unpack_2((uint16_t*)array, (uint16_t*)packed, box); return;
    case 4: sode_acc_unpack_4((uint32_t*)array, (uint32_t*)packed, box); return;
    default: sode_acc_unpack_8((uint64_t*)array, (uint64_t*)packed, box); return;
    }
}

/* --device=stand-in:COUNT */
#if defined(SODE_ACC_STAND_IN)
#if defined(__cplusplus)
extern "C"
#endif
    void
    sode_acc_stand_in(int count);
#endif

__attribute__((constructor)) static void sode_acc_begin(void) {
#if defined(SODE_ACC_STAND_IN)
    sode_acc_stand_in(SODE_ACC_STAND_IN);
#endif
    static sode_acc_device const device = {
        sode_acc_use_create,      sode_acc_use_remove,   sode_acc_use_address, sode_acc_use_present, sode_acc_use_to_device,
        sode_acc_use_from_device, sode_acc_use_allocate, sode_acc_use_release, sode_acc_use_wait,    sode_acc_use_wait_all,
        sode_acc_use_count,       sode_acc_use_device,   sode_acc_use_pack,    sode_acc_use_unpack,  acc_async_sync,
        acc_async_noval,          sode_acc_use_current};
    sode_acc_unit(&device);
}
#endif
/* NOLINTEND(modernize-*,readability-*,bugprone-*,misc-*) */
#endif
