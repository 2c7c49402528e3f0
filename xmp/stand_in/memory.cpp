// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace sode::stand_in {
namespace {

std::map<char*, mapping>& table() {
    static auto* const all = new std::map<char*, mapping>;
    return *all;
}

} // namespace

void fail(char const* problem, void const* host, std::size_t bytes) {
    std::fprintf(stderr, "sode: stand-in device: %s (%zu bytes at %p)\n", problem, bytes, host);
    std::exit(1);
}

char* allocate(std::size_t bytes) {
    auto* const device = static_cast<char*>(std::malloc(bytes + 64));
    if (!device) fail("there is no memory", nullptr, bytes);
    std::memset(device, 0xff, bytes);
    return device;
}

void release(char* device, std::size_t bytes) {
    std::memset(device, 0xff, bytes);
    std::free(device);
}

mapping* find(void const* host, std::size_t bytes) {
    auto* const first = const_cast<char*>(static_cast<char const*>(host));
    auto const behind = table().upper_bound(first);
    if (behind != table().begin()) {
        auto& m = std::prev(behind)->second;
        if (first < m.host + m.bytes || (first == m.host && m.bytes == 0)) {
            if (first + bytes > m.host + m.bytes) fail("data is on the device in part only", host, bytes);
            return &m;
        }
    }
    if (behind != table().end() && behind->first < first + bytes) fail("data is on the device in part only", host, bytes);
    return nullptr;
}

mapping* find_device(void const* device) {
    auto const* const at = static_cast<char const*>(device);
    for (auto& [host, m] : table())
        if (at >= m.device && at < m.device + m.bytes) return &m;
    return nullptr;
}

mapping& make(void* host, std::size_t bytes) {
    auto* const first = static_cast<char*>(host);
    return table()[first] = {first, bytes, allocate(bytes), 0, 0};
}

void remove_unused(mapping& m) {
    if (m.entered <= 0 && m.regions <= 0) remove(m);
}

void remove(mapping& m) {
    release(m.device, m.bytes);
    table().erase(m.host);
}

} // namespace sode::stand_in
