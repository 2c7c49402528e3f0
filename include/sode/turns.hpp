// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

#include <algorithm>

namespace sode {

/// Which indices along one dimension are a rank's: of each `period`, counted from `first`, the first `chunk`. A dimension that is
/// not cyclic has chunk 0; there a rank's indices are an interval, which is kept elsewhere, and nothing below may be asked.
struct turns {
    index_t chunk = 0;
    index_t period = 0;
    index_t first = 0; ///< not above 0

    /// Is index i >= 0 one of them?
    [[nodiscard]] constexpr bool contains(index_t i) const noexcept { return (i - first) % period < chunk; }
    /// How many of them come before i >= 0, which is one of them.
    [[nodiscard]] constexpr index_t number(index_t i) const noexcept {
        return (i - first) / period * chunk + (i - first) % period - std::min(chunk, -first);
    }
    /// Calls f(lower, upper) for each run of them within [lower, upper), ascending; lower >= 0.
    template <class F> constexpr void for_each(index_t lower, index_t upper, F f) const {
        for (index_t at = lower - (lower - first) % period; at < upper; at += period) {
            index_t const low = std::max(at, lower), high = std::min(at + chunk, upper);
            if (low < high) f(low, high);
        }
    }
};

} // namespace sode
