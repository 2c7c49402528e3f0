// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

/// Counts what a test program allocates: to be included by one file of it, as it replaces operator new.
namespace sode::internal::testing {

inline std::atomic<std::size_t> held{0}, most_held{0};

/// Bytes that have been allocated and not been given back.
inline std::size_t held_bytes() noexcept {
    return held.load();
}

// In front of each block stands how long it is.
inline void* counted(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) {
    auto* const block = static_cast<std::byte*>(std::aligned_alloc(alignment, (bytes + 2 * alignment - 1) / alignment * alignment));
    if (!block) throw std::bad_alloc{};
    *reinterpret_cast<std::size_t*>(block) = bytes;
    auto const now = held.fetch_add(bytes) + bytes;
    if (now > most_held) most_held = now;
    return block + alignment;
}
inline void uncounted(void* at, std::size_t alignment = alignof(std::max_align_t)) noexcept {
    if (!at) return;
    auto* const block = static_cast<std::byte*>(at) - alignment;
    held -= *reinterpret_cast<std::size_t*>(block);
    std::free(block);
}

} // namespace sode::internal::testing

// NOLINTBEGIN(misc-definitions-in-headers): one file of a program includes them
void* operator new(std::size_t bytes) {
    return sode::internal::testing::counted(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return sode::internal::testing::counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* at) noexcept {
    sode::internal::testing::uncounted(at);
}
void operator delete(void* at, std::size_t) noexcept {
    sode::internal::testing::uncounted(at);
}
void operator delete(void* at, std::align_val_t alignment) noexcept {
    sode::internal::testing::uncounted(at, static_cast<std::size_t>(alignment));
}
void operator delete(void* at, std::size_t, std::align_val_t alignment) noexcept {
    sode::internal::testing::uncounted(at, static_cast<std::size_t>(alignment));
}
// NOLINTEND(misc-definitions-in-headers)
