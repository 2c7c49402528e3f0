// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>
#include <sode/detail/api.hpp>
#include <sode/types.hpp>

#include <array>
#include <concepts>
#include <initializer_list>
#include <span>

namespace sode {

struct geometry;

/// In a shadow: the whole dimension (XcalableMP `shadow a[*]`). Every rank allocates all elements of this dimension, at their
/// global indices. An exchange fetches the elements of the other ranks.
struct full_t {};
inline constexpr full_t full{};

/// The number of halo elements below and above each rank's block, by dimension (XcalableMP `shadow`).
///
/// `shadow{1}`: one element on every side. `shadow{{0, 0}, {2, 3}, {2, 3}}`: none in dimension 0; two below and three above in
/// dimensions 1 and 2. `shadow{1, 2}`: symmetric, one in dimension 0 and two in dimension 1. `shadow{full, 0}`: the whole dimension
/// 0. `shadow{}`: none.
class SODE_API shadow {
public:
    struct layers {
        index_t lower = 0;
        index_t upper = 0;
        bool whole = false; ///< the whole dimension; then the numbers are 0

        constexpr layers() = default;
        constexpr layers(full_t) noexcept : whole(true) {}
        template <std::integral I>
        constexpr layers(I both) noexcept : lower(static_cast<index_t>(both)), upper(static_cast<index_t>(both)) {}
        constexpr layers(index_t below, index_t above) noexcept : lower(below), upper(above) {}
        friend constexpr bool operator==(layers const&, layers const&) = default;
    };

    shadow() = default;
    /// One entry for all dimensions, or one for each. Errors: usage, for a negative width or more than 7 entries.
    shadow(std::initializer_list<layers> by_dimension) : shadow(std::span{by_dimension.begin(), by_dimension.size()}) {}
    explicit shadow(std::span<layers const> by_dimension);
    /// There is no conversion from a bare number, which could be mistaken for the initial value (the argument next to the shadow).
    template <std::integral I> shadow(I) { static_assert(sizeof(I) == 0, "a shadow is written with braces: sode::shadow{1}"); }

    /// The layers in dimension `d` of an array with `dims` dimensions. Errors: usage, if there is neither one entry nor one for
    /// each dimension.
    [[nodiscard]] layers at(int d, int dims) const;

private:
    int given_ = 0;
    std::array<layers, max_dims> layers_{};
};

namespace detail {

/// The layers in `dims` dimensions, as numbers. Errors: usage, if an entry is `full`, or if there is neither one entry nor one for
/// each dimension.
SODE_API void widths_of(shadow const& s, int dims, std::span<index_t> lower, std::span<index_t> upper);

template <int N> [[nodiscard]] box<N> without(box<N> const& b, shadow const& layers) {
    index<N> lower{}, upper{};
    widths_of(layers, N, lower, upper);
    return shrink(b, lower, upper);
}

} // namespace detail
} // namespace sode
