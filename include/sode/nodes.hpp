// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/box.hpp>
#include <sode/detail/dimension.hpp>
#include <sode/geometry.hpp>
#include <sode/runtime.hpp>

#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sode {

/// The extent `any` of a rank grid: the library computes this extent so that all ranks are used.
struct any_t {};
inline constexpr any_t any{};

/// An extent of a rank grid: a number, or `any`. If an extent is omitted, the library chooses a number.
class node_extent {
public:
    constexpr node_extent() = default;
    constexpr node_extent(any_t) noexcept : asked_(true) {}
    constexpr node_extent(int n) noexcept : extent_(n), open_(false) {}

    /// True if the extent is not given as a number.
    [[nodiscard]] constexpr bool open() const noexcept { return open_; }
    /// True if the extent is given as `any`.
    [[nodiscard]] constexpr bool asked() const noexcept { return asked_; }
    [[nodiscard]] constexpr int value() const noexcept { return extent_; }

private:
    int extent_ = 0;
    bool open_ = true;
    bool asked_ = false;
};

/// The mapping `in_order`: node k of the rank grid is rank k, regardless of the machines on which the ranks run.
struct in_order_t {};
inline constexpr in_order_t in_order{};

/// The rank of each node of a rank grid.
///
/// By default, the library chooses the order of the ranks. If the job has only one machine, node k of the rank grid is rank k. If
/// the job has several machines, each machine gets a block of the rank grid. The shape of a machine's block minimises the traffic
/// between machines. The results of computations do not depend on the order of the ranks.
class node_order {
public:
    node_order() = default;
    node_order(in_order_t) noexcept : automatic_(false) {}
    /// Sets the rank of each node in row-major order of coordinates. An empty list selects the default order.
    node_order(std::vector<int> ranks) noexcept : automatic_(ranks.empty()), ranks_(std::move(ranks)) {}
    node_order(std::initializer_list<int> ranks) : node_order(std::vector<int>(ranks)) {}

    [[nodiscard]] bool automatic() const noexcept { return automatic_; }
    [[nodiscard]] std::vector<int> const& ranks() const noexcept { return ranks_; }

private:
    bool automatic_ = true;
    std::vector<int> ranks_;
};

namespace detail {

class watch_list;

/// Identifies a rank by the rank number and the job. Without a job (a dry run), all operations except memory accesses work, for any
/// number of ranks.
struct place {
    std::shared_ptr<sode::detail::job> job; ///< null: a dry run
    int rank = 0;
    int ranks = 1;
    std::shared_ptr<std::vector<int> const> machines{}; ///< dry run: the machine of each rank; null: all ranks are on one machine

    place(int my_rank, int all_ranks) noexcept : rank(my_rank), ranks(all_ranks) {}
    /// \param machine_of  the machine of each rank, numbered from 0
    place(int my_rank, std::vector<int> machine_of)
        : rank(my_rank), ranks(static_cast<int>(machine_of.size())),
          machines(std::make_shared<std::vector<int> const>(std::move(machine_of))) {}
    place(runtime const& rt) noexcept : job(rt.shared_job()), rank(rt.rank()), ranks(rt.size()) {}
};

/// Returns the halo checks of the job to which `where` belongs, or null if SODE_CHECK=halo is not set.
[[nodiscard]] SODE_API watch_list* checks(place const& where) noexcept;

[[nodiscard]] SODE_API node_grid make_node_grid(int ranks, std::span<node_extent const> list, std::vector<int> mapping);
/// Creates a grid with the given order of ranks. If the library chooses the order, `face_costs` contains the cost of a face between
/// machines for each dimension. If `face_costs` is empty, all costs are equal.
[[nodiscard]] SODE_API node_grid make_node_grid(place const& where, std::span<node_extent const> list, node_order const& order,
                                                std::span<double const> face_costs = {});
/// Returns the nodes of `from` within the given coordinates, as a grid of `dims` dimensions. If `from` has more dimensions,
/// dimensions with only one selected node are dropped, beginning with the first, until `dims` dimensions remain.
[[nodiscard]] SODE_API node_grid make_sub_grid(node_grid const& from, std::span<index_t const> lower,
                                               std::span<index_t const> upper, int dims);

} // namespace detail

/// A rank grid (XcalableMP `nodes`), which gives each rank of a job coordinates in N dimensions. The last coordinate varies
/// fastest.
///
/// For example, `nodes<2> p{rt, {4, any}};` arranges all ranks in 4 rows. A grid may have fewer nodes than the job has ranks. Ranks
/// outside a grid own no elements of arrays on the grid.
template <int N> class nodes {
    static_assert(N >= 1 && N <= max_dims, "a rank grid has 1 to 7 dimensions");

public:
    /// \param extents  the number of nodes in each dimension; the library computes `any` extents that are as equal as possible,
    ///                 larger extents first
    /// \param order    the rank of each node in row-major order of coordinates, or in_order; the default order minimises the
    ///                 traffic between machines
    ///
    /// Throws a usage error for an extent below 1, for more nodes than ranks, or for extents that do not divide the number of
    /// ranks. Throws a usage error if `order` has the wrong size, a duplicate rank, or a rank that does not exist. The constructor
    /// is not collective, but every rank must pass the same arguments.
    nodes(runtime const& rt, std::array<node_extent, static_cast<std::size_t>(N)> const& extents, node_order const& order = {})
        : nodes(detail::place{rt}, extents, order) {}
    /// Creates a grid without a job, to plan for any rank and any number of ranks.
    nodes(detail::place where, std::array<node_extent, static_cast<std::size_t>(N)> const& extents, node_order const& order = {})
        : place_(where), grid_(detail::make_node_grid(where, extents, order)) {}

    /// Returns the nodes with coordinates in `part`, as a new grid with coordinates from 0 in each dimension (XcalableMP `nodes
    /// q(…) = p(…)`). If M < N, dimensions in which `part` has only one node are dropped, beginning with the first, until M
    /// dimensions remain.
    ///
    ///     nodes<2> p{rt, {4, any}};
    ///     auto const left = p.sub({{0, 0}, {4, 1}});       // a column, in 2 dimensions
    ///     auto const row  = p.sub<1>({{2, 0}, {3, p.extent(1)}}); // one row, in 1 dimension
    ///
    /// Ranks outside the new grid own no elements of arrays on the new grid.
    /// Throws a usage error if `part` is empty or not inside the grid, or if more than M dimensions have several nodes.
    template <int M = N> [[nodiscard]] nodes<M> sub(box<N> const& part) const {
        static_assert(M <= N, "a part of a grid has no more dimensions than the grid");
        return nodes<M>{detail::make_sub_grid(grid_, part.lower, part.upper, M), place_};
    }

    [[nodiscard]] int size() const noexcept { return grid_.size(); }
    /// Returns the number of nodes in dimension d. Throws a usage error if dimension d does not exist.
    [[nodiscard]] int extent(int d) const { return grid_.extent[detail::dimension(d, N)]; }
    /// Returns this rank's coordinate in dimension d, or -1 if the rank is not in the grid. Throws a usage error if dimension d
    /// does not exist.
    [[nodiscard]] int coordinate(int d) const { return grid_.coordinates(place_.rank)[detail::dimension(d, N)]; }

    /// Returns the rank of each node, in row-major order of coordinates. For example, `sode::runtime part{rt, q.ranks()};` makes
    /// the ranks of a grid a part of the job.
    [[nodiscard]] std::vector<int> ranks() const { return grid_.ranks(); }

    [[nodiscard]] node_grid const& grid() const noexcept { return grid_; }
    [[nodiscard]] detail::place const& place() const noexcept { return place_; }

private:
    template <int> friend class nodes;
    nodes(node_grid grid, detail::place where) : place_(std::move(where)), grid_(std::move(grid)) {}

    detail::place place_;
    node_grid grid_;
};

} // namespace sode
