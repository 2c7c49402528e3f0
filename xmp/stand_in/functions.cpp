// SPDX-License-Identifier: Apache-2.0
// <openacc.h>.
#include "memory.hpp"

#include <cstring>

using namespace sode::stand_in;

#define SODE_FUNCTION extern "C" __attribute__((visibility("default")))

namespace {

enum : int { none = 0, host = 2, not_host = 4 };

void* enter(void* from, std::size_t bytes, bool copy) {
    auto const only = alone();
    auto* m = find(from, bytes);
    if (!m) {
        m = &make(from, bytes);
        if (copy) std::memcpy(m->device, from, bytes);
    }
    ++m->entered;
    return there(*m, from);
}

void leave(void* from, std::size_t bytes, bool copy, bool finally) {
    auto const only = alone();
    auto* const m = find(from, bytes);
    if (!m) return;
    m->entered = finally ? 0 : m->entered - 1;
    if (m->entered > 0 || m->regions > 0) return;
    if (copy) std::memcpy(from, there(*m, from), bytes);
    remove(*m);
}

void update(void* from, std::size_t bytes, bool to_device) {
    auto const only = alone();
    auto* const m = find(from, bytes);
    if (!m) fail("an update names data that is not on the device", from, bytes);
    if (to_device)
        std::memcpy(there(*m, from), from, bytes);
    else
        std::memcpy(from, there(*m, from), bytes);
}

} // namespace

// A unit that was compiled with --device=stand-in:COUNT.
SODE_FUNCTION void sode_acc_stand_in(int count) {
    have(count);
}
SODE_FUNCTION int acc_get_num_devices(int type) {
    return type == none ? 0 : devices();
}
SODE_FUNCTION void acc_set_device_type(int) {}
SODE_FUNCTION int acc_get_device_type() {
    return not_host;
}
SODE_FUNCTION void acc_set_device_num(int which, int) {
    use(which);
}
SODE_FUNCTION int acc_get_device_num(int) {
    return current();
}
SODE_FUNCTION std::size_t acc_get_property(int, int, int) {
    return 0;
}
SODE_FUNCTION char const* acc_get_property_string(int, int, int) {
    return "Sode's stand-in device";
}
SODE_FUNCTION int acc_async_test(int) {
    return 1;
}
SODE_FUNCTION int acc_async_test_all() {
    return 1;
}
SODE_FUNCTION void acc_wait(int) {}
SODE_FUNCTION void acc_async_wait(int) {}
SODE_FUNCTION void acc_wait_async(int, int) {}
SODE_FUNCTION void acc_wait_all() {}
SODE_FUNCTION void acc_async_wait_all() {}
SODE_FUNCTION void acc_wait_all_async(int) {}
SODE_FUNCTION void acc_init(int) {}
SODE_FUNCTION void acc_shutdown(int) {}

SODE_FUNCTION void* acc_malloc(std::size_t bytes) {
    auto const only = alone();
    auto* const block = allocate(bytes + 64);
    std::memcpy(block, &bytes, sizeof bytes);
    return block + 64;
}
SODE_FUNCTION void acc_free(void* device) {
    if (!device) return;
    auto const only = alone();
    auto* const block = static_cast<char*>(device) - 64;
    std::size_t bytes = 0;
    std::memcpy(&bytes, block, sizeof bytes);
    release(block, bytes + 64);
}

SODE_FUNCTION void* acc_copyin(void* p, std::size_t n) {
    return enter(p, n, true);
}
SODE_FUNCTION void* acc_present_or_copyin(void* p, std::size_t n) {
    return enter(p, n, true);
}
SODE_FUNCTION void* acc_pcopyin(void* p, std::size_t n) {
    return enter(p, n, true);
}
SODE_FUNCTION void* acc_create(void* p, std::size_t n) {
    return enter(p, n, false);
}
SODE_FUNCTION void* acc_present_or_create(void* p, std::size_t n) {
    return enter(p, n, false);
}
SODE_FUNCTION void* acc_pcreate(void* p, std::size_t n) {
    return enter(p, n, false);
}
SODE_FUNCTION void acc_copyin_async(void* p, std::size_t n, int) {
    enter(p, n, true);
}
SODE_FUNCTION void acc_create_async(void* p, std::size_t n, int) {
    enter(p, n, false);
}
SODE_FUNCTION void acc_copyout(void* p, std::size_t n) {
    leave(p, n, true, false);
}
SODE_FUNCTION void acc_copyout_async(void* p, std::size_t n, int) {
    leave(p, n, true, false);
}
SODE_FUNCTION void acc_copyout_finalize(void* p, std::size_t n) {
    leave(p, n, true, true);
}
SODE_FUNCTION void acc_copyout_finalize_async(void* p, std::size_t n, int) {
    leave(p, n, true, true);
}
SODE_FUNCTION void acc_delete(void* p, std::size_t n) {
    leave(p, n, false, false);
}
SODE_FUNCTION void acc_delete_async(void* p, std::size_t n, int) {
    leave(p, n, false, false);
}
SODE_FUNCTION void acc_delete_finalize(void* p, std::size_t n) {
    leave(p, n, false, true);
}
SODE_FUNCTION void acc_delete_finalize_async(void* p, std::size_t n, int) {
    leave(p, n, false, true);
}
SODE_FUNCTION void acc_update_device(void* p, std::size_t n) {
    update(p, n, true);
}
SODE_FUNCTION void acc_update_device_async(void* p, std::size_t n, int) {
    update(p, n, true);
}
SODE_FUNCTION void acc_update_self(void* p, std::size_t n) {
    update(p, n, false);
}
SODE_FUNCTION void acc_update_self_async(void* p, std::size_t n, int) {
    update(p, n, false);
}

SODE_FUNCTION void* acc_deviceptr(void* p) {
    auto const only = alone();
    auto* const m = find(p, 0);
    return m ? there(*m, p) : nullptr;
}
SODE_FUNCTION void* acc_hostptr(void* p) {
    auto const only = alone();
    auto* const m = find_device(p);
    return m ? m->host + (static_cast<char*>(p) - m->device) : nullptr;
}
SODE_FUNCTION int acc_is_present(void* p, std::size_t n) {
    auto const only = alone();
    return p && find(p, n) ? 1 : 0;
}
SODE_FUNCTION void acc_memcpy_to_device(void* device, void* from, std::size_t n) {
    auto const only = alone();
    own(device, n);
    std::memcpy(device, from, n);
}
SODE_FUNCTION void acc_memcpy_from_device(void* to, void* device, std::size_t n) {
    auto const only = alone();
    own(device, n);
    std::memcpy(to, device, n);
}
SODE_FUNCTION void acc_memcpy_to_device_async(void* device, void* from, std::size_t n, int) {
    auto const only = alone();
    own(device, n);
    std::memcpy(device, from, n);
}
SODE_FUNCTION void acc_memcpy_from_device_async(void* to, void* device, std::size_t n, int) {
    auto const only = alone();
    own(device, n);
    std::memcpy(to, device, n);
}
SODE_FUNCTION void acc_map_data(void*, void*, std::size_t) {
    fail("acc_map_data() is not supported", nullptr, 0);
}
SODE_FUNCTION void acc_unmap_data(void*) {
    fail("acc_unmap_data() is not supported", nullptr, 0);
}
