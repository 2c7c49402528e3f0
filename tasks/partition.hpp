// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/mappings.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace sode::internal {

/// The part of a partition from which addresses are taken, from below: free when it was last looked at. Only a hint. Every mapping
/// is made with MAP_FIXED_NOREPLACE, so the kernel has the last word and whoever takes addresses needs no lock: a task that dies in
/// the middle of it leaves nothing locked, and a forked child goes on with its copy.
struct address_window {
    std::atomic<std::uintptr_t> next;
    std::atomic<std::uintptr_t> limit;

    /// Takes `length` bytes at a multiple of `alignment`; 0: there are not so many.
    [[nodiscard]] std::uintptr_t take(std::size_t length, std::size_t alignment) noexcept;
    void set(std::uintptr_t begin, std::uintptr_t end) noexcept;
    /// What lies before `end` is taken, as one has just learned.
    void skip(std::uintptr_t end) noexcept;
};

/// The heap of a task, which ends at `now`; what lies before `ready` is mapped, and zero beyond `now`.
struct break_window {
    std::atomic<std::uintptr_t> now;
    std::atomic<std::uintptr_t> ready;
};

/// A range of addresses of one task, in which all its mappings are made. From below: the heap of brk(), which has a quarter of it;
/// the window; the stack.
///
/// Nobody tells it what a task unmaps. When the window is used up, it looks into the kernel's own list for the largest gap, which
/// becomes the window: once for as many bytes as the partition has free, so the cost is nothing beside that of the mappings
/// themselves.
class partition {
public:
    explicit partition(mappings const& kernel) : kernel_(&kernel) {}

    /// From now on it is [base, base + bytes), which is empty. The first and last `margin` bytes are never used.
    void open(std::uintptr_t base, std::size_t bytes);
    /// Unmaps all of it.
    void close() const noexcept;

    /// Whether [begin, begin + length) lies where the window may be.
    [[nodiscard]] bool contains(std::uintptr_t begin, std::size_t length) const noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] address_window& window() noexcept { return window_; }
    [[nodiscard]] break_window& heap() noexcept { return heap_; }

    /// Keeps the top `bytes` bytes for a stack that grows down; returns where they end.
    [[nodiscard]] std::uintptr_t keep_top(std::size_t bytes) noexcept;

    /// mmap() at an address of the partition. Returns the address, or -errno; ENOMEM, if nothing large enough is free.
    [[nodiscard]] long map(std::size_t length, std::size_t alignment, int prot, int flags, int fd, off_t offset) noexcept;
    /// mmap() at `address`, if that is inside the partition and free, else anywhere in it.
    [[nodiscard]] long map_near(std::uintptr_t address, std::size_t length, std::size_t alignment, int prot, int flags, int fd,
                                off_t offset) noexcept;

    /// brk(): the heap ends at `address` from now on, if that can be. Returns where it ends.
    [[nodiscard]] std::uintptr_t set_break(std::uintptr_t address) noexcept;

    static constexpr std::size_t margin = std::size_t{1} << 20U;

private:
    [[nodiscard]] bool look_again(std::size_t length, std::size_t alignment) noexcept;

    mappings const* kernel_;
    address_window window_{};
    std::uintptr_t base_ = 0;
    std::size_t bytes_ = 0;
    break_window heap_{};
    std::uintptr_t heap_end_ = 0; ///< the heap's utmost end, and the beginning of what may be handed out
    std::uintptr_t top_ = 0;      ///< the end of what may be handed out
};

} // namespace sode::internal
