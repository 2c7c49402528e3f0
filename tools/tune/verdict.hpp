// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal::tools {

/// One way of a pattern: what it took, and what was predicted. Nanoseconds.
struct checked_way {
    std::string_view name;
    double measured = 0;
    double fitted = 0;   ///< by the constants that were measured,
    double built_in = 0; ///< and by those that are built in
};

/// A pattern that no constant was fitted to, by all of its ways.
struct checked_pattern {
    std::string name;
    std::vector<checked_way> ways; ///< one at least

    /// The one that is predicted to be the fastest.
    [[nodiscard]] checked_way const& chosen(double checked_way::*by) const;
    /// Measured time of the way that the fitted constants choose, by that of the one that the built-in ones choose.
    [[nodiscard]] double ratio() const;
};

/// What a check of constants comes to.
struct verdict {
    double ratio = 1;          ///< geometric mean of ratio() over the patterns: below 1, the fitted ones choose faster ways
    double worst = 1;          ///< the largest of them,
    std::string worst_at{};    ///< and of which pattern
    double error = 1;          ///< geometric mean of the factors by which the fitted constants are wrong, over all ways;
    double built_in_error = 1; ///< and the built-in ones
    bool store = true;
};

/// Constants may be stored if they do not choose worse than the built-in ones: `ratio` is at most 1, and no pattern is slower than
/// it was by more than `most_slower`, which identical code may differ by. No pattern: nothing speaks against it. Pure.
inline constexpr double most_slower = 1.1;
[[nodiscard]] verdict judge(std::span<checked_pattern const> patterns);

} // namespace sode::internal::tools
