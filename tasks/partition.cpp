// SPDX-License-Identifier: Apache-2.0
#include "tasks/partition.hpp"

#include "tasks/pages.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/mman.h>

namespace sode::internal {

std::uintptr_t address_window::take(std::size_t length, std::size_t alignment) noexcept {
    auto seen = next.load(std::memory_order_relaxed);
    for (;;) {
        auto const at = round_up(seen, alignment);
        auto const end = limit.load(std::memory_order_relaxed);
        if (at > end || length > end - at) return 0;
        if (next.compare_exchange_weak(seen, at + length, std::memory_order_relaxed)) return at;
    }
}

void address_window::set(std::uintptr_t begin, std::uintptr_t end) noexcept {
    limit.store(0, std::memory_order_relaxed); // nobody takes anything while both change
    next.store(begin, std::memory_order_relaxed);
    limit.store(end, std::memory_order_release);
}

void address_window::skip(std::uintptr_t end) noexcept {
    auto seen = next.load(std::memory_order_relaxed);
    while (seen < end && end <= limit.load(std::memory_order_relaxed) &&
           !next.compare_exchange_weak(seen, end, std::memory_order_relaxed)) {
    }
}

void partition::open(std::uintptr_t base, std::size_t bytes) {
    base_ = base;
    bytes_ = bytes;
    heap_.now = heap_.ready = base + margin;
    heap_end_ = base + round_down(bytes / 4, huge_page_bytes);
    top_ = base + bytes - margin;
    window_.set(heap_end_, top_);
}

void partition::close() const noexcept {
    ::munmap(memory_at(base_), bytes_);
}

bool partition::contains(std::uintptr_t begin, std::size_t length) const noexcept {
    return begin >= heap_end_ && begin < top_ && length <= top_ - begin;
}

std::uintptr_t partition::keep_top(std::size_t bytes) noexcept {
    auto const end = top_;
    top_ -= bytes;
    window_.set(heap_end_, top_);
    return end;
}

std::uintptr_t partition::set_break(std::uintptr_t address) noexcept {
    // More than was asked for: a heap grows in small steps, and the next ones shall cost nothing.
    constexpr std::size_t ahead = std::size_t{1} << 20U;
    if (address < base_ + margin || address > heap_end_) return heap_.now;
    std::uintptr_t const ready = heap_.ready;
    auto const end = round_up(address, page_bytes);
    auto const wanted = std::min(end + ahead, heap_end_);
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    if (end > ready) {
        if (::mmap(memory_at(ready), wanted - ready, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) return heap_.now;
        heap_.ready = wanted;
    }
    if (address < heap_.now) {
        ::munmap(memory_at(end), ready - end); // so that it is zero when it comes back
        heap_.ready = end;
    }
    heap_.now = address;
    return address;
}

bool partition::look_again(std::size_t length, std::size_t alignment) noexcept {
    auto const free = kernel_->largest_gap(heap_end_, top_);
    if (!free) return false;
    window_.set(free->begin, free->end);
    auto const at = round_up(free->begin, alignment);
    return at <= free->end && length <= free->end - at;
}

long partition::map(std::size_t length, std::size_t alignment, int prot, int flags, int fd, off_t offset) noexcept {
    // Others may take from the same window, and a task may map what it likes with MAP_FIXED: several attempts, not infinitely many.
    for (int attempt = 0; attempt < 16; ++attempt) {
        auto const at = window_.take(length, alignment);
        if (at != 0) {
            void* const got = ::mmap(memory_at(at), length, prot, flags | MAP_FIXED_NOREPLACE, fd, offset);
            if (got != MAP_FAILED) return static_cast<long>(reinterpret_cast<std::uintptr_t>(got));
            if (errno != EEXIST) return -errno;
        }
        if (!look_again(length, alignment)) break;
    }
    return -ENOMEM;
}

long partition::map_near(std::uintptr_t address, std::size_t length, std::size_t alignment, int prot, int flags, int fd,
                         off_t offset) noexcept {
    auto const at = round_down(address, page_bytes);
    if (contains(at, length)) {
        void* const got = ::mmap(memory_at(at), length, prot, flags | MAP_FIXED_NOREPLACE, fd, offset);
        if (got != MAP_FAILED) {
            if (at <= window_.next.load(std::memory_order_relaxed)) window_.skip(at + length);
            return static_cast<long>(reinterpret_cast<std::uintptr_t>(got));
        }
    }
    return map(length, alignment, prot, flags, fd, offset);
}

} // namespace sode::internal
