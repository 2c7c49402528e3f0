// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/range.hpp>
#include <sode/types.hpp>

#include <array>
#include <string>
#include <vector>

namespace sode::internal {

/// The indices that both ranges have (steps meet by the Chinese remainder theorem). Empty ranges compare equal only by size().
/// Errors: usage, for a step below 1.
[[nodiscard]] range intersect(range a, range b);
/// Every index moved by `by`.
[[nodiscard]] constexpr range shift(range r, index_t by) noexcept {
    return {r.lower + by, r.upper + by, r.step};
}

/// An n-dimensional index set, the product of ranges; dimension 0 is the slowest. The run-time twin of sode::box<N>.
struct section {
    int dims = 0;
    std::array<range, max_dims> dim{};

    /// Number of elements; 0 without dimensions.
    [[nodiscard]] index_t size() const noexcept;
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    [[nodiscard]] bool contains(section const& other) const noexcept;
    /// Equal as sets: all empty sections of as many dimensions are equal, and the step of a single index does not count.
    friend bool operator==(section const& a, section const& b) noexcept;
};

/// Errors (of all functions below): usage, for differing numbers of dimensions, or a dimension that is not there.
[[nodiscard]] section intersect(section const& a, section const& b);
[[nodiscard]] section shift(section s, std::array<index_t, max_dims> const& by);
/// Cuts `s` into at most `parts` sections along dimension `d`, sizes differing by at most one; never returns an empty one.
[[nodiscard]] std::vector<section> split(section const& s, int d, index_t parts);
/// What is left of `a` when `b` is taken out, as disjoint sections (steps must be 1).
[[nodiscard]] std::vector<section> subtract(section const& a, section const& b);
/// "[0:4)x[2:10:2)".
[[nodiscard]] std::string to_string(section const& s);

} // namespace sode::internal
