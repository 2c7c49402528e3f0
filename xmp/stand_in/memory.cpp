// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace sode::stand_in {
namespace {

// What several devices have is in pages of its own, which can be closed.
struct piece {
    std::size_t bytes;
    int device;
};

struct state {
    int devices = 1, first = 0;
    std::vector<std::map<char*, mapping>> tables;
    std::map<char*, piece> pieces; // with several devices

    state() : tables(1) {}
    void have(int n) {
        devices = n;
        if (auto const* const wanted = std::getenv("ACC_DEVICE_NUM")) first = std::clamp(std::atoi(wanted), 0, n - 1);
        tables.resize(static_cast<std::size_t>(n));
    }
};

state& all() {
    static auto* const only = new state;
    return *only;
}

thread_local int chosen = -1; // by this thread; -1: it has chosen none

std::map<char*, mapping>& table() {
    return all().tables[static_cast<std::size_t>(current())];
}

std::size_t in_pages(std::size_t bytes) {
    auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return (bytes + 64 + page - 1) / page * page;
}

void others(int protection) {
    for (auto const& [at, piece] : all().pieces)
        if (piece.device != current()) mprotect(at, in_pages(piece.bytes), protection);
}

} // namespace

std::unique_lock<std::recursive_mutex> alone() {
    static auto* const lock = new std::recursive_mutex;
    return std::unique_lock{*lock};
}

void have(int count) {
    if (count > all().devices) all().have(count);
}
int devices() {
    return all().devices;
}
int current() {
    return chosen < 0 ? all().first : chosen;
}
void use(int device) {
    if (device < 0 || device >= all().devices) fail("there is no device of this number", nullptr, static_cast<std::size_t>(device));
    chosen = device;
}

void fail(char const* problem, void const* host, std::size_t bytes) {
    std::fprintf(stderr, "sode: stand-in device: %s (%zu bytes at %p)\n", problem, bytes, host);
    std::exit(1);
}

char* allocate(std::size_t bytes) {
    if (all().devices == 1) {
        auto* const device = static_cast<char*>(std::malloc(bytes + 64));
        if (!device) fail("there is no memory", nullptr, bytes);
        std::memset(device, 0xff, bytes);
        return device;
    }
    auto* const pages = mmap(nullptr, in_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) fail("there is no memory", nullptr, bytes);
    auto* const device = static_cast<char*>(pages);
    std::memset(device, 0xff, bytes);
    all().pieces[device] = {bytes, current()};
    return device;
}

void release(char* device, std::size_t bytes) {
    if (all().pieces.erase(device) > 0) return (void)munmap(device, in_pages(bytes));
    std::memset(device, 0xff, bytes);
    std::free(device);
}

void close_others() {
    others(PROT_NONE);
}
void open_others() {
    others(PROT_READ | PROT_WRITE);
}

void own(void const* device, std::size_t bytes) {
    auto const& pieces = all().pieces;
    auto const* const at = static_cast<char const*>(device);
    auto const behind = pieces.upper_bound(const_cast<char*>(at));
    if (behind == pieces.begin()) return;
    auto const& [first, piece] = *std::prev(behind);
    if (at < first + in_pages(piece.bytes) && piece.device != current()) fail("this is memory of another device", device, bytes);
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
    for (auto& each : all().tables)
        for (auto& [host, m] : each)
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
