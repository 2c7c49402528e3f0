// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/geometry.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sode::detail {
struct job;
}

namespace sode::internal {

// Where arrays lie in their caches: modulo 4 KiB, which is what one way of a first-level cache holds, and by what a load is
// compared with the stores before it. An odd number of cache lines from one to the next comes to every place before it comes to one
// twice. By 1600 bytes any five arrays that follow each other lie 704 bytes apart or more, so that what a loop has just written is
// not taken for what it reads next; by 1088 bytes so do any three components of a bundle (decision 74).
constexpr index_t cache_reach = 4096;
constexpr index_t from_array_to_array = 1600;
constexpr index_t from_component_to_component = 1088;

/// Bytes to leave free at `address`, so that byte `first` of what begins behind them lies at the place of array number `array`.
[[nodiscard]] constexpr std::size_t free_before(std::uintptr_t address, std::size_t first, unsigned array) noexcept {
    constexpr std::uintptr_t reach = cache_reach;
    return (array * std::uintptr_t{from_array_to_array} - address - first) % reach;
}

/// Memory for a rank's block of `g`, which reads as zero. The first element that the rank owns is at the array's place: rows that
/// begin lines of their own do that with it, so that what neighbours read takes as few lines as can be (decision 6). Blocks that
/// are smaller than that reach only begin a line so. Errors: environment.
[[nodiscard]] std::shared_ptr<std::byte> allocate_block(detail::job& j, geometry const& g, int rank);

} // namespace sode::internal
