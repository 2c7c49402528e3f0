// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/geometry.hpp>

#include <algorithm>

namespace sode::internal {

/// Elements of the smallest block along an axis, of those that have any.
[[nodiscard]] inline index_t smallest_block(axis const& a) noexcept {
    index_t least = a.extent;
    for (std::size_t c = 0; c + 1 < a.bounds.size(); ++c)
        if (auto const size = a.bounds[c + 1] - a.bounds[c]; size > 0) least = std::min(least, size);
    return least;
}

} // namespace sode::internal
