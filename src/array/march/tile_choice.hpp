// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/tile_order.hpp>

#include <cstdint>

namespace sode::internal {

/// What the shape of a tile is made for.
struct tile_load {
    int dims = 1;
    std::array<index_t, max_dims> lower{};  ///< of a rank's block: its first element
    std::array<index_t, max_dims> extent{}; ///< of a rank's block
    index_t point_bytes = 8;                ///< of all fields at one index: both halves of what changes, and what does not
    int threads = 1;                        ///< that share a loop
    std::int64_t cache_bytes = 0;           ///< of each of them: what it keeps from one step to the next
    bool whole_rows = false;                ///< dimension 1 is filled between the steps, so there are no strips of it
};

/// Rows at a time, and the width of strips, so that what the steps of a tile come back to stays in the cache.
void fit_into_cache(detail::tile_shape& shape, tile_load const& load) noexcept;

/// The part of all that a pass computes which can be computed before the exchange is over (`under_way`), of the rank's block.
[[nodiscard]] double part_inside(detail::tile_shape const& shape, tile_load const& load) noexcept;

/// What a tile comes back to.
[[nodiscard]] std::int64_t window_bytes(detail::tile_shape const& shape, tile_load const& load) noexcept;

} // namespace sode::internal
