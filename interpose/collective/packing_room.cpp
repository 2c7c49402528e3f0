// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/packing_room.hpp"

#include <algorithm>
#include <atomic>
#include <sys/mman.h>
#include <unistd.h>

namespace sode::internal::interpose {

namespace {

constexpr std::int64_t long_room = 256 << 10, most_kept = 32 << 20, kept_on_machine = 256 << 20;

// Of long rooms, in this process.
std::atomic<std::int64_t> in_use{0}, kept{most_kept};

// The whole pages of it.
void give_back(std::byte* memory, std::int64_t bytes) noexcept {
    static auto const page = sysconf(_SC_PAGESIZE);
    auto const before = (page - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory)) % page) % page;
    auto const whole = (bytes - before) / page * page;
    if (whole > 0) madvise(memory + before, static_cast<std::size_t>(whole), MADV_DONTNEED);
}

} // namespace

void packing_room::share_among(int processes) noexcept {
    kept = std::min(most_kept, kept_on_machine / processes);
}

packing_room::~packing_room() {
    let_go();
}

std::byte* packing_room::get() {
    if (bytes == 0) return nullptr;
    if (!memory_) memory_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes)); // most is never touched
    return memory_.get();
}

std::byte* packing_room::use() {
    auto* const memory = get();
    if (!used_ && bytes >= long_room) {
        used_ = true;
        in_use += bytes;
    }
    return memory;
}

void packing_room::rest() noexcept {
    if (!used_ || in_use <= kept) return;
    give_back(memory_.get(), bytes);
    let_go();
}

void packing_room::let_go() noexcept {
    if (used_) in_use -= bytes;
    used_ = false;
}

} // namespace sode::internal::interpose
