// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/distribution.hpp>

namespace sode {

/// The alignment of one dimension of an array: a dimension of the template, possibly shifted, or `none`.
class align_target {
public:
    constexpr align_target(none_t) noexcept {}
    constexpr align_target(int template_dim) noexcept : dim_(template_dim), follows_(true) {}

    [[nodiscard]] constexpr bool follows() const noexcept { return follows_; }
    [[nodiscard]] constexpr int dim() const noexcept { return dim_; }
    [[nodiscard]] constexpr index_t offset() const noexcept { return offset_; }

    friend constexpr align_target operator+(align_target t, index_t by) noexcept {
        t.offset_ += by;
        return t;
    }
    friend constexpr align_target operator-(align_target t, index_t by) noexcept { return t + -by; }

private:
    int dim_ = 0;
    index_t offset_ = 0;
    bool follows_ = false;
};

/// With `along(1) + 2`, index i of the array is aligned with index i + 2 in dimension 1 of the template.
[[nodiscard]] constexpr align_target along(int template_dim) noexcept {
    return align_target{template_dim};
}

namespace detail {
[[nodiscard]] SODE_API mapping align(mapping const& to, std::span<index_t const> extents, std::span<align_target const> targets);
}

/// Maps the elements of an N-dimensional array to ranks. A distribution or a grid of N dimensions converts to an alignment.
template <int N> class alignment {
    static_assert(N >= 1 && N <= max_dims, "an array has 1 to 7 dimensions");

public:
    alignment(distribution<N> const& t) : mapping_(t.mapping()) {}
    explicit alignment(detail::mapping m) : mapping_(std::move(m)) {}

    [[nodiscard]] detail::mapping const& mapping() const noexcept { return mapping_; }

private:
    detail::mapping mapping_;
};

/// Aligns an array with a distribution (XcalableMP `align`).
///
/// With `align(t, {nz, ny, nx}, {none, 0, along(1) + 2})`, element (k, j, i) belongs to the rank that owns t(j, i + 2). A dimension
/// of the array may be permuted (`{1, 0}`), shifted, or not distributed (`none`). If no dimension of the array is aligned with a
/// template dimension, the array is replicated along this template dimension.
///
/// \param extents  elements of the array in each dimension; after the shift, all elements must be inside the template
/// \param targets  for each dimension of the array, the template dimension with which the dimension is aligned
///
/// Throws a usage error if elements are outside the template, or if two dimensions are aligned with the same template dimension.
template <int M, std::size_t N>
[[nodiscard]] alignment<static_cast<int>(N)> align(distribution<M> const& t, index_t const (&extents)[N],
                                                   align_target const (&targets)[N]) {
    return alignment<static_cast<int>(N)>{detail::align(t.mapping(), extents, targets)};
}

} // namespace sode
