// SPDX-License-Identifier: Apache-2.0
#include "engine/pinned_memory.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace sode::internal {
namespace {

std::size_t page() noexcept {
    static auto const bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::size_t whole_pages(std::size_t bytes) noexcept {
    return (bytes + page() - 1) / page() * page();
}

[[noreturn]] void refuse(std::size_t bytes, int number) {
    rlimit most{};
    bool const limited = getrlimit(RLIMIT_MEMLOCK, &most) == 0 && most.rlim_cur != RLIM_INFINITY;
    throw error{error_kind::environment, fmt::format("cannot lock {} bytes of memory", bytes),
                fmt::format("mlock: {}", std::generic_category().message(number)),
                limited ? fmt::format("raise `ulimit -l` (now {} KiB)", most.rlim_cur / 1024)
                        : "plan the communication without pinned memory"};
}

struct told_block {
    std::uint64_t at;
    block_place block;
};

} // namespace

// A page has one lock, however many ask for it: blocks share none.
std::size_t pinned_memory::room_for(std::size_t bytes) const noexcept {
    return whole_pages(bytes) + page();
}

std::byte* pinned_memory::allocate(std::size_t bytes) {
    auto* const block = memory_.allocate(room_for(bytes));
    auto* const first = block + (whole_pages(reinterpret_cast<std::uintptr_t>(block)) - reinterpret_cast<std::uintptr_t>(block));
    if (!device_locks() && mlock(first, whole_pages(bytes)) != 0) {
        int const number = errno;
        memory_.release(block, room_for(bytes));
        refuse(whole_pages(bytes), number);
    }
    freed_.expose(first);
    if (device_) device_->map_host(first, whole_pages(bytes));
    return first;
}

void pinned_memory::release(std::byte* block, std::size_t bytes) noexcept {
    if (device_) device_->unmap_host(block, whole_pages(bytes));
    if (!device_locks()) munlock(block, whole_pages(bytes));
    freed_.release(block - (memory_.offset(block) - memory_.block_of(block).offset), room_for(bytes));
}

memory_provider::handle pinned_memory::tell(std::byte* block) {
    told_block const told{memory_.offset(block), memory_.block_of(block)};
    handle h{};
    static_assert(sizeof told <= sizeof h);
    std::memcpy(h.data(), &told, sizeof told);
    return h;
}

std::byte* pinned_memory::open(int host, handle const& told) {
    told_block place{};
    std::memcpy(&place, told.data(), sizeof place);
    memory_.open(host, place.block);
    auto* const first = memory_.at(host, place.at);
    // Its whole pages, behind which it may have up to a page of nothing (room_for).
    // Threads of one process share what its owner has mapped.
    if (device_ && !memory_.one_address_space()) device_->map_host(first, place.block.bytes / page() * page() - page());
    return first;
}

} // namespace sode::internal
