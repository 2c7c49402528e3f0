// SPDX-License-Identifier: Apache-2.0
// What compiled directives call: GCC's interface between its code and libgomp (gomp-constants.h names the numbers).
#include "memory.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace sode::stand_in {
namespace {

enum kind : unsigned {
    alloc = 0,
    to = 1,
    from = 2,
    pointer = 4,
    force_present = 6,
    delete_it = 7,
    force_deviceptr = 8,
    if_present = 11,
    firstprivate = 12,
    firstprivate_int = 13,
    use_device_ptr = 14,
    zero_length = 15,
    use_device_ptr_if_present = 16,
    release_it = 23,
    attach = 0x50,
    detach = 0x51,
    force = 0x80
};

bool is_plain(unsigned k) {
    return (k & ~static_cast<unsigned>(force)) <= 3 || (k >= 17 && k <= 19);
}

/// One variable of a region: what it is on the device, and what is done at its end.
struct entry {
    char* host = nullptr;
    std::size_t bytes = 0;
    void* device = nullptr;
    bool mapped = false, back = false;
    char* own = nullptr; // memory of this region
};

struct region : std::vector<entry> {
    int device = current(); // whose it is
};

// Of this thread.
std::vector<region>& open() {
    static thread_local auto* const all = new std::vector<region>;
    return *all;
}

void* own_copy(entry& e, void const* what, std::size_t bytes) {
    e.bytes = bytes;
    e.own = allocate(bytes);
    std::memcpy(e.own, what, bytes);
    return e.own;
}

char* translated(void* host) {
    auto* const m = find(host, 0);
    return m ? there(*m, host) : static_cast<char*>(host);
}

entry enter(unsigned k, void*& address, std::size_t bytes) {
    entry e;
    e.host = static_cast<char*>(address);
    e.bytes = bytes;
    e.device = address;
    if (is_plain(k)) {
        auto* m = find(address, bytes);
        if (!m) {
            m = &make(address, bytes);
            if ((k & to) != 0) std::memcpy(m->device, address, bytes);
        }
        ++m->regions;
        e.mapped = true;
        e.back = (k & from) != 0;
        e.device = there(*m, address);
        return e;
    }
    switch (k) {
    case force_present: {
        auto* const m = find(address, bytes);
        if (!m) fail("`present` names data that is not on the device", address, bytes);
        ++m->regions;
        e.mapped = true;
        e.device = there(*m, address);
        break;
    }
    case pointer: {
        char* value = nullptr;
        std::memcpy(&value, address, sizeof value);
        auto* const moved = value ? translated(value + bytes) - bytes : nullptr; // `bytes` is a shift here
        e.device = own_copy(e, &moved, sizeof moved);
        break;
    }
    case force_deviceptr: e.device = own_copy(e, address, sizeof(void*)); break;
    case firstprivate: e.device = own_copy(e, address, bytes); break;
    case firstprivate_int: break;
    case if_present:
    case zero_length:
        if (auto* const m = address ? find(address, bytes) : nullptr) e.device = there(*m, address);
        break;
    case use_device_ptr:
        if (!find(address, 0)) fail("`use_device` names data that is not on the device", address, bytes);
        [[fallthrough]];
    case use_device_ptr_if_present: e.device = address = translated(address); break;
    case attach:
        if (auto* const m = find(address, sizeof(void*))) {
            char* value = nullptr;
            std::memcpy(&value, address, sizeof value);
            auto* const moved = translated(value);
            std::memcpy(there(*m, address), &moved, sizeof moved);
        }
        break;
    case detach: break;
    default: fail("a kind of mapping is not supported", address, k);
    }
    return e;
}

void leave(entry const& e) {
    if (e.own) release(e.own, e.bytes);
    if (!e.mapped) return;
    auto* const m = find(e.host, e.bytes);
    if (!m) return; // `exit data` inside of the region
    --m->regions;
    if (e.back && m->regions == 0 && m->entered == 0) std::memcpy(e.host, there(*m, e.host), e.bytes);
    remove_unused(*m);
}

region begin(std::size_t n, void** addresses, std::size_t const* sizes, unsigned short const* kinds) {
    region r;
    for (std::size_t i = 0; i < n; ++i) r.push_back(enter(kinds[i] & 0xffU, addresses[i], sizes[i]));
    return r;
}

bool on_host(int flags) {
    return (~flags & 1) != 0;
}

void enter_data(unsigned k, void* address, std::size_t bytes) {
    if (k == attach) return (void)enter(k, address, bytes);
    auto* m = find(address, bytes);
    if (!m) {
        m = &make(address, bytes);
        if ((k & to) != 0) std::memcpy(m->device, address, bytes);
    }
    ++m->entered;
}

void exit_data(unsigned k, void* address, std::size_t bytes) {
    auto* const m = find(address, bytes);
    if (!m) return;
    bool const finally = k == delete_it || (k & force) != 0;
    m->entered = finally ? 0 : m->entered - 1;
    if (m->entered > 0 || m->regions > 0) return;
    if (is_plain(k) && (k & from) != 0) std::memcpy(address, there(*m, address), bytes);
    remove(*m);
}

bool leaves(unsigned k) {
    return k == delete_it || k == release_it || (is_plain(k) && (k & 3U) == from) || k == detach;
}

void data(std::size_t n, void** addresses, std::size_t const* sizes, unsigned short const* kinds) {
    for (std::size_t i = 0; i < n; ++i) {
        auto const k = kinds[i] & 0xffU;
        if (k == detach || !addresses[i]) continue;
        (leaves(k) ? exit_data : enter_data)(k, addresses[i], sizes[i]);
    }
}

} // namespace
} // namespace sode::stand_in

using namespace sode::stand_in;

extern "C" {

__attribute__((visibility("default"))) void GOACC_parallel_keyed(int flags, void (*kernel)(void*), std::size_t n, void** addresses,
                                                                 std::size_t* sizes, unsigned short* kinds, ...) {
    if (on_host(flags)) return kernel(addresses);
    auto only = alone();
    auto const r = begin(n, addresses, sizes, kinds);
    std::vector<void*> addresses_there;
    for (auto const& e : r) addresses_there.push_back(e.device);
    close_others();
    if (devices() == 1) only.unlock(); // other threads may copy meanwhile
    kernel(addresses_there.data());
    if (devices() == 1) only.lock();
    open_others();
    for (auto const& e : r) leave(e);
}

__attribute__((visibility("default"))) void GOACC_data_start(int flags, std::size_t n, void** addresses, std::size_t* sizes,
                                                             unsigned short* kinds) {
    auto const only = alone();
    open().push_back(on_host(flags) ? region{} : begin(n, addresses, sizes, kinds));
}

__attribute__((visibility("default"))) void GOACC_data_end() {
    auto const only = alone();
    auto const r = open().back();
    open().pop_back();
    auto const now = current();
    use(r.device);
    for (auto const& e : r) leave(e);
    use(now);
}

__attribute__((visibility("default"))) void GOACC_enter_data(int flags, std::size_t n, void** addresses, std::size_t* sizes,
                                                             unsigned short* kinds, int, int, ...) {
    auto const only = alone();
    if (!on_host(flags)) data(n, addresses, sizes, kinds);
}

__attribute__((visibility("default"))) void GOACC_exit_data(int flags, std::size_t n, void** addresses, std::size_t* sizes,
                                                            unsigned short* kinds, int, int, ...) {
    auto const only = alone();
    if (!on_host(flags)) data(n, addresses, sizes, kinds);
}

__attribute__((visibility("default"))) void GOACC_declare(int flags, std::size_t n, void** addresses, std::size_t* sizes,
                                                          unsigned short* kinds) {
    auto const only = alone();
    if (!on_host(flags)) data(n, addresses, sizes, kinds);
}

__attribute__((visibility("default"))) void GOACC_update(int flags, std::size_t n, void** addresses, std::size_t const* sizes,
                                                         unsigned short const* kinds, int, int, ...) {
    if (on_host(flags)) return;
    auto const only = alone();
    for (std::size_t i = 0; i < n; ++i) {
        auto const k = kinds[i] & 0xffU;
        if (!is_plain(k)) continue;
        auto* const m = find(addresses[i], sizes[i]);
        if (!m && (k & force) == 0) continue; // if_present
        if (!m) fail("`update` names data that is not on the device", addresses[i], sizes[i]);
        if ((k & to) != 0)
            std::memcpy(there(*m, addresses[i]), addresses[i], sizes[i]);
        else
            std::memcpy(addresses[i], there(*m, addresses[i]), sizes[i]);
    }
}

__attribute__((visibility("default"))) void GOACC_wait(int, int, ...) {}

} // extern "C"
