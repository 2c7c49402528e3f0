// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/geometry.hpp>

#include <cstddef>

namespace sode::internal {

/// Whether tiles widen the shadow in dimension `d` of an array. From dimension 2 on only ranks need it, whose blocks end there:
/// what every window of a pass has all of needs no more than one step reads, also if it is periodic. Room there would keep rows
/// apart, and each of them costs memory traffic (decision 74).
[[nodiscard]] inline bool has_tile_room(axis const& a, std::size_t d) noexcept {
    return d < 2 || a.nodes() > 1;
}

} // namespace sode::internal
