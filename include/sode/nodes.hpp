// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>
#include <sode/geometry.hpp>
#include <sode/runtime.hpp>

#include <span>

namespace sode {

/// Written where an extent is wanted: "as many as there are ranks left".
struct any_t {};
inline constexpr any_t any{};

/// An extent of a rank grid: a number, or `any`.
class node_extent {
public:
    constexpr node_extent() = default;
    constexpr node_extent(any_t) noexcept {}
    constexpr node_extent(int n) noexcept : extent_(n), open_(false) {}

    [[nodiscard]] constexpr bool open() const noexcept { return open_; }
    [[nodiscard]] constexpr int value() const noexcept { return extent_; }

private:
    int extent_ = 0;
    bool open_ = true;
};

namespace detail {

class watch_list;

/// Where this rank stands. Without a job it is a dry run: everything but memory can be asked, for any number of ranks.
struct place {
    sode::detail::job* job = nullptr;
    int rank = 0;
    int ranks = 1;

    constexpr place(int my_rank, int all_ranks) noexcept : rank(my_rank), ranks(all_ranks) {}
    place(runtime const& rt) noexcept : job(&rt.job()), rank(rt.rank()), ranks(rt.size()) {}
};

/// The watches of the job there; null unless SODE_CHECK=halo.
[[nodiscard]] watch_list* checks(place const& where) noexcept;

[[nodiscard]] node_grid make_node_grid(int ranks, std::span<node_extent const> list, std::vector<int> mapping);
/// The nodes of `from` between these coordinates, as a grid of `dims` dimensions: of those with one node the first ones are left
/// out.
[[nodiscard]] node_grid make_sub_grid(node_grid const& from, std::span<index_t const> lower, std::span<index_t const> upper,
                                      int dims);

} // namespace detail

/// A rank grid (XcalableMP `nodes`): gives the ranks of a job coordinates in N dimensions, the last one varying fastest.
///
/// `nodes<2> p{rt, {4, any}};` spreads all ranks over 4 rows. It may have fewer nodes than the job has ranks: the others own
/// nothing of what is distributed onto it.
template <int N> class nodes {
    static_assert(N >= 1 && N <= max_dims, "a rank grid has 1 to 7 dimensions");

public:
    /// \param extents  nodes in each dimension; the ranks that the numbers leave over are factorised among the `any`, as evenly as
    ///                 can be, larger factors first
    /// \param mapping  the rank of each node in row-major order of coordinates; empty: 0, 1, 2, …
    /// Errors: usage: an extent below 1, more nodes than ranks, numbers that do not divide the ranks, a mapping of another size,
    /// with a rank twice or a rank that does not exist. Not collective, but every rank must say the same.
    nodes(runtime const& rt, std::array<node_extent, static_cast<std::size_t>(N)> const& extents, std::vector<int> mapping = {})
        : nodes(detail::place{rt}, extents, std::move(mapping)) {}
    /// The same for a rank of a job that need not exist.
    nodes(detail::place where, std::array<node_extent, static_cast<std::size_t>(N)> const& extents, std::vector<int> mapping = {})
        : place_(where), grid_(detail::make_node_grid(where.ranks, extents, std::move(mapping))) {}

    /// The nodes whose coordinates lie in `part`, as a grid of their own, numbered from 0 in each dimension (XcalableMP
    /// `nodes q(…) = p(…)`). With M < N, dimensions in which `part` has one node are left out, the first ones first.
    ///
    ///     nodes<2> p{rt, {4, any}};
    ///     auto const left = p.sub({{0, 0}, {4, 1}});       // a column, in 2 dimensions
    ///     auto const row  = p.sub<1>({{2, 0}, {3, p.extent(1)}}); // one row, in 1 dimension
    ///
    /// The other ranks own nothing of what is distributed onto it. Errors: usage, if `part` is empty or not in the grid, or has
    /// more than M dimensions with several nodes.
    template <int M = N> [[nodiscard]] nodes<M> sub(box<N> const& part) const {
        static_assert(M <= N, "a part of a grid has no more dimensions than the grid");
        return nodes<M>{detail::make_sub_grid(grid_, part.lower, part.upper, M), place_};
    }

    [[nodiscard]] int size() const noexcept { return grid_.size(); }
    [[nodiscard]] int extent(int d) const { return grid_.extent.at(static_cast<std::size_t>(d)); }
    /// This rank's coordinate in dimension d; -1 if it is not in the grid.
    [[nodiscard]] int coordinate(int d) const { return grid_.coordinates(place_.rank).at(static_cast<std::size_t>(d)); }

    [[nodiscard]] node_grid const& grid() const noexcept { return grid_; }
    [[nodiscard]] detail::place const& place() const noexcept { return place_; }

private:
    template <int> friend class nodes;
    nodes(node_grid grid, detail::place where) : place_(where), grid_(std::move(grid)) {}

    detail::place place_;
    node_grid grid_;
};

} // namespace sode
