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

/// The entry `full` of a shadow selects the whole dimension (XcalableMP `shadow a[*]`). Every rank allocates all elements of a
/// `full` dimension, and an exchange fetches the elements of all other ranks.
struct full_t {};
inline constexpr full_t full{};

/// The number of halo elements below and above each rank's block in each dimension (XcalableMP `shadow`).
///
/// Examples:
/// - `shadow{1}`: one element on every side
/// - `shadow{1, 2}`: one element on both sides of dimension 0, two elements on both sides of dimension 1
/// - `shadow{{0, 0}, {2, 3}}`: no elements in dimension 0; two elements below and three elements above in dimension 1
/// - `shadow{full, 0}`: the whole dimension 0, no halo in dimension 1
/// - `shadow{}`: no halo
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
    /// Takes one entry for all dimensions, or one entry for each dimension. Throws a usage error for a negative width or more than
    /// 7 entries.
    shadow(std::initializer_list<layers> by_dimension) : shadow(std::span{by_dimension.begin(), by_dimension.size()}) {}
    explicit shadow(std::span<layers const> by_dimension);
    /// Deleted on purpose: a number does not convert to a shadow. Otherwise, a number that is passed to an array's constructor
    /// could mean the shadow or the initial value.
    template <std::integral I> shadow(I) { static_assert(sizeof(I) == 0, "a shadow is written with braces: sode::shadow{1}"); }

    /// Returns the numbers of layers in dimension `d` of an array with `dims` dimensions. Throws a usage error if the number of
    /// entries is neither one nor `dims`.
    [[nodiscard]] layers at(int d, int dims) const;

private:
    int given_ = 0;
    std::array<layers, max_dims> layers_{};
};

namespace detail {

/// Returns the numbers of layers in all `dims` dimensions. Throws a usage error if an entry is `full`, or if the number of entries
/// is neither one nor the number of dimensions.
SODE_API void widths_of(shadow const& s, int dims, std::span<index_t> lower, std::span<index_t> upper);

template <int N> [[nodiscard]] box<N> without(box<N> const& b, shadow const& layers) {
    index<N> lower{}, upper{};
    widths_of(layers, N, lower, upper);
    return shrink(b, lower, upper);
}

} // namespace detail
} // namespace sode
