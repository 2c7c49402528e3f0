// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

namespace sode {

/// The indices lower, lower + step, … below upper. The range is empty if upper <= lower. The step must be at least 1.
struct range {
    index_t lower = 0;
    index_t upper = 0;
    index_t step = 1;

    [[nodiscard]] constexpr index_t size() const noexcept { return upper <= lower ? 0 : (upper - lower - 1) / step + 1; }
    [[nodiscard]] constexpr bool empty() const noexcept { return upper <= lower; }
    [[nodiscard]] constexpr bool contains(index_t i) const noexcept { return i >= lower && i < upper && (i - lower) % step == 0; }
    /// Returns the largest index of the range, which must not be empty.
    [[nodiscard]] constexpr index_t last() const noexcept { return lower + (size() - 1) * step; }
    friend constexpr bool operator==(range const&, range const&) = default;
};

} // namespace sode
