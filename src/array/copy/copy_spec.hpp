// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/section.hpp"
#include "pattern/exchange_terms.hpp"

#include <sode/geometry.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace sode::internal {

/// One side of a copy between distributed arrays: the array, and which of its elements.
struct copy_side {
    geometry const* shape = nullptr;
    std::array<range, max_dims> picked{}; ///< by dimension, steps >= 1
    /// In which order its dimensions meet those of the other side.
    std::array<int, max_dims> order{0, 1, 2, 3, 4, 5, 6};
    bool buffered = false;
    int group = 0; ///< array parity group, for buffered arrays

    /// All elements of `g`.
    [[nodiscard]] static copy_side whole(geometry const& g);
};

/// Everything that a copy is built from.
struct copy_spec : exchange_terms {
    copy_side to;
    copy_side from;
    bool one_array = false; ///< both sides are the same array; then their elements differ
    bool in_place = false;  ///< the target is the source's full shadow: nothing is to be copied where it lies already

    /// Errors: usage, for elements that do not exist, sides of different shapes or element sizes, or that overlap in one array, or
    /// a way that copies do not have.
    void check() const;
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

/// The dimensions of a side in which more than one element is picked, in its order: those count when two sides are compared.
[[nodiscard]] std::vector<std::size_t> counting_dims(copy_side const& side);
/// Elements of a side.
[[nodiscard]] index_t elements_of(copy_side const& side) noexcept;

} // namespace sode::internal
