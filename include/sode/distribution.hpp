// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/box.hpp>
#include <sode/detail/dimension.hpp>
#include <sode/nodes.hpp>

#include <concepts>
#include <initializer_list>
#include <ranges>

namespace sode {

/// In a distribution, `none` means that the dimension is not split. In align(), `none` means that the dimension of the array is not
/// aligned with any dimension of the template.
struct none_t {};
inline constexpr none_t none{};

class distribution_format;

/// `block` (XcalableMP `block`) distributes n elements over p nodes in blocks of ceil(n / p) elements. The last blocks may be
/// shorter or empty. `block(w)` uses blocks of w elements. The blocks of all nodes together must hold all elements.
struct block_t {
    [[nodiscard]] SODE_API distribution_format operator()(index_t width) const;
};
inline constexpr block_t block{};

/// In a `balanced` distribution, block sizes differ by at most one element. If n elements are distributed over p nodes, the first n
/// mod p nodes get one additional element. Every node has elements, unless there are fewer elements than nodes. A grid uses the
/// `balanced` distribution.
struct balanced_t {};
inline constexpr balanced_t balanced{};

/// With `cyclic`, element i belongs to node i mod p, where p is the number of nodes. With `cyclic(w)`, chunks of w consecutive
/// elements are distributed over the nodes in turn. An array has no shadow along a cyclic dimension. Elements of an array with a
/// cyclic dimension are accessed through a cyclic_view.
struct cyclic_t {
    [[nodiscard]] SODE_API distribution_format operator()(index_t width) const;
};
inline constexpr cyclic_t cyclic{};

/// The distribution of one dimension of an index space, written as `block`, `block(w)`, `balanced`, `cyclic`, `cyclic(w)`,
/// `gblock(widths)` or `none`.
class SODE_API distribution_format {
public:
    enum class kind { whole, blocks, balanced, turns, widths };

    distribution_format(none_t) noexcept : kind_(kind::whole) {}
    distribution_format(block_t) noexcept : kind_(kind::blocks) {}
    distribution_format(balanced_t) noexcept : kind_(kind::balanced) {}
    distribution_format(cyclic_t) noexcept : kind_(kind::turns), width_(1) {}
    /// Creates a distribution in blocks or cyclic chunks of `width` elements. Throws a usage error for a width below 1.
    distribution_format(kind k, index_t width);
    explicit distribution_format(std::vector<index_t> widths) noexcept : kind_(kind::widths), widths_(std::move(widths)) {}

    [[nodiscard]] bool splits() const noexcept { return kind_ != kind::whole; }
    /// Splits an axis of `extent` elements over `nodes` nodes. `dim` is the dimension that error messages name. Throws a usage
    /// error if the blocks cannot hold all elements, or if a width is negative. Throws a usage error if the number of widths
    /// differs from `nodes`, or if the sum of the widths differs from `extent`.
    [[nodiscard]] axis cut(index_t extent, int nodes, int dim) const;

private:
    [[nodiscard]] std::vector<index_t> bounds(index_t extent, int nodes, int dim) const;

    kind kind_;
    index_t width_ = 0; ///< width of blocks (0: the narrowest possible) or of cyclic chunks
    std::vector<index_t> widths_;
};

inline distribution_format block_t::operator()(index_t width) const {
    return {distribution_format::kind::blocks, width};
}
inline distribution_format cyclic_t::operator()(index_t width) const {
    return {distribution_format::kind::turns, width};
}

/// A distribution in blocks of the given widths (XcalableMP `gblock`). The list has one width for each node along the dimension. A
/// width may be zero.
template <std::ranges::input_range R>
requires std::integral<std::ranges::range_value_t<R>>
[[nodiscard]] distribution_format gblock(R const& widths) {
    std::vector<index_t> w;
    for (auto const n : widths) w.push_back(static_cast<index_t>(n));
    return distribution_format{std::move(w)};
}
[[nodiscard]] inline distribution_format gblock(std::initializer_list<index_t> widths) {
    return distribution_format{std::vector<index_t>(widths)};
}

namespace detail {

/// Maps indices to ranks. A distribution, an alignment or a grid can be converted to a mapping.
struct mapping {
    sode::detail::place place;
    node_grid grid;
    int dims = 0;
    std::array<axis, max_dims> axes{};

    /// Returns this rank's block in global indices. All spans are empty if the rank owns no elements. Throws a usage error if a
    /// dimension is cyclic.
    [[nodiscard]] SODE_API geometry::block owned() const;
};

[[nodiscard]] SODE_API mapping distribute(place where, node_grid const& grid, std::span<index_t const> extents,
                                          std::span<distribution_format const> formats);

template <int N> [[nodiscard]] constexpr box<N> to_box(geometry::block const& b) noexcept {
    box<N> result;
    for (std::size_t d = 0; d < N; ++d) {
        result.lower[d] = b[d].lower;
        result.upper[d] = b[d].upper;
    }
    return result;
}

} // namespace detail

/// An index space that is distributed over a rank grid: the XcalableMP directives `template` and `distribute` in one object.
///
/// An example is `distribution<2> t{p, {ny, nx}, {cyclic(4), gblock(widths)}};`. The k-th split dimension is distributed over the
/// k-th dimension of the rank grid. A distribution stores no elements. An array has the shape of a distribution, or is aligned with
/// a distribution by align().
template <int N> class distribution {
    static_assert(N >= 1 && N <= max_dims, "a distribution has 1 to 7 dimensions");

public:
    /// \param extents  elements in each dimension, not negative; if there are fewer elements than nodes, the last nodes are empty
    /// \param formats  the distribution of each dimension; the number of split dimensions must equal the number of dimensions of
    ///                 the rank grid
    ///
    /// Throws a usage error for invalid extents or formats. The constructor does not communicate.
    template <int M>
    distribution(nodes<M> const& p, index<N> const& extents,
                 std::array<distribution_format, static_cast<std::size_t>(N)> const& formats)
        : mapping_(detail::distribute(p.place(), p.grid(), extents, formats)) {}

    /// Returns the number of elements in dimension d. Throws a usage error if dimension d does not exist.
    [[nodiscard]] index_t extent(int d) const { return mapping_.axes[detail::dimension(d, N)].extent; }
    /// Returns this rank's part of the index space. Throws a usage error if a dimension is cyclic.
    [[nodiscard]] box<N> owned() const { return detail::to_box<N>(mapping_.owned()); }

    [[nodiscard]] detail::mapping const& mapping() const noexcept { return mapping_; }

private:
    detail::mapping mapping_;
};

} // namespace sode
