// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sode::internal {

/// Handles are integers in one MPI and pointers in another; equal handles have equal bytes in both.
template <class Handle> [[nodiscard]] inline std::uint64_t bits_of(Handle handle) noexcept {
    std::uint64_t bits = 0;
    static_assert(sizeof(Handle) <= sizeof bits);
    std::memcpy(&bits, &handle, sizeof(Handle));
    return bits;
}

/// Where to look for a handle first in a table of so many places, a power of two (Fibonacci hashing): handles follow each other, or
/// lie at multiples of some bytes.
template <std::size_t Places, class Handle> [[nodiscard]] inline std::size_t first_place_of(Handle handle) noexcept {
    static_assert(std::has_single_bit(Places) && Places > 1);
    return static_cast<std::size_t>(bits_of(handle) * 0x9e3779b97f4a7c15U >> (64 - std::countr_zero(Places)));
}

} // namespace sode::internal
