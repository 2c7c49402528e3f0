// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

namespace sode::internal::bench {

/// What a march of `tiles` steps at a time takes in one pass; 0: as many as it chooses, up to 16 (sode/tiles.hpp).
[[nodiscard]] constexpr int at_most_at_a_time(int tiles) noexcept {
    return tiles > 0 ? tiles : 16;
}

/// Steps of a block, of contestants that take up to `at_a_time` steps in one pass: about 20 ms, and a few whole passes. A block
/// that is shorter than a pass would measure a march of fewer steps than its name says.
[[nodiscard]] constexpr int steps_of_block(double us_a_step, int at_a_time) noexcept {
    constexpr int passes = 4, few = 2, many = 1000;
    int const least = at_a_time > 1 ? passes * at_a_time : few;
    return std::max(least, static_cast<int>(std::min<double>(20000 / us_a_step, many)));
}

} // namespace sode::internal::bench
