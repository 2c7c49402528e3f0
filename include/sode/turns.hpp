// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

#include <algorithm>

namespace sode {

/// The indices that a rank owns along a cyclic dimension: the first `chunk` of each `period` indices, counted from `first`. For a
/// dimension that is not cyclic, `chunk` is 0 and the member functions must not be called.
struct turns {
    index_t chunk = 0;
    index_t period = 0;
    index_t first = 0; ///< 0 or negative

    /// True if the rank owns index i, which must not be negative.
    [[nodiscard]] constexpr bool contains(index_t i) const noexcept { return (i - first) % period < chunk; }
    /// Returns the number of indices from 0 to i - 1 that the rank owns. The rank must own index i, and i must not be negative.
    [[nodiscard]] constexpr index_t number(index_t i) const noexcept {
        return (i - first) / period * chunk + (i - first) % period - std::min(chunk, -first);
    }
    /// Calls f(lower, upper) for each run of owned indices in [lower, upper), in ascending order. `lower` must not be negative.
    template <class F> constexpr void for_each(index_t lower, index_t upper, F f) const {
        for (index_t at = lower - (lower - first) % period; at < upper; at += period) {
            index_t const low = std::max(at, lower), high = std::min(at + chunk, upper);
            if (low < high) f(low, high);
        }
    }
};

} // namespace sode
