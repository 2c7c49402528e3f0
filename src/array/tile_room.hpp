// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/geometry.hpp>

#include <array>
#include <cstddef>

namespace sode::internal {

/// A plane of fewer elements than these fits a core's own cache several times.
inline constexpr index_t large_plane = 8192;

/// Whether tiles widen the shadow in dimension `d` of an array of `dims`. Ranks need it, whose blocks end there, and so does the
/// first dimension, through which a pass runs. Another dimension that is whole needs no more than one step reads, also if it is
/// periodic, as long as every window of a pass has all of it. Large planes are gone over in strips, so their dimension 1 gets room.
/// Room elsewhere would keep rows apart, and each of them costs memory traffic (decision 74).
[[nodiscard]] inline bool has_tile_room(std::array<axis, max_dims> const& axes, int dims, std::size_t d) noexcept {
    if (d == 0 || axes[d].nodes() > 1) return true;
    if (d > 1) return false;
    if (dims == 2) return true; // at the ends of rows
    index_t plane = 1;
    for (std::size_t e = 1; e < static_cast<std::size_t>(dims); ++e) plane *= axes[e].extent;
    return plane >= large_plane;
}

} // namespace sode::internal
