// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/align.hpp>
#include <sode/detail/dimension.hpp>
#include <sode/detail/worker_threads.hpp>
#include <sode/domain.hpp>
#include <sode/shadow.hpp>

namespace sode {

namespace detail {

[[nodiscard]] SODE_API mapping make_grid(place where, std::span<index_t const> extents, std::span<node_extent const> nodes,
                                         node_order const& order);

} // namespace detail

/// Options of a grid: the number of nodes in each dimension, and the order of the ranks.
template <int N> struct grid_options {
    /// The number of nodes in each dimension; the product must be the number of ranks. An entry is a number or `any`. A dimension
    /// with `any` is always split if the number of ranks has enough factors. For example, `{any, any}` makes a 2 x 2 grid from 4
    /// ranks. If an entry is omitted, the library chooses the number of nodes in the corresponding dimension. The library avoids a
    /// split of the last dimension, because halos across the last dimension are strided. The last dimension is split only if some
    /// ranks would otherwise own no elements. Among the possible grids, the library chooses the grid with the smallest block
    /// surface. reflection::explain() prints the chosen grid and the reason.
    std::array<node_extent, static_cast<std::size_t>(N)> nodes{};
    /// The rank of each node in row-major order, or in_order. By default, each machine of the job gets a block of nodes. The
    /// library chooses the blocks so that the faces with the highest predicted cost stay within a machine.
    node_order mapping{};
};

/// An index space with a balanced block distribution over a grid of all ranks. If n elements are distributed over p nodes, the
/// first n mod p nodes get one additional element. For other distributions, see nodes, distribution and align().
///
///     grid<2> g{rt, {ny, nx}};                       // rows of blocks, the contiguous dimension whole
///     grid<3> g{rt, {nz, ny, nx}, {.nodes = {2, any, 1}}};
///     grid<2> g{rt, {10, nx}};                       // over 8 ranks, rows: 2 2 1 1 1 1 1 1
template <int N> class grid {
    static_assert(N >= 1 && N <= max_dims, "a grid has 1 to 7 dimensions");

public:
    using options = grid_options<N>;

    /// \param extents  elements in each dimension; the last dimension is contiguous in memory
    ///
    /// Throws a usage error if an extent is negative, if the number of nodes differs from the number of ranks, or if the mapping is
    /// not one-to-one.
    grid(runtime const& rt, index<N> const& extents, options const& how = {}) : grid(detail::place{rt}, extents, how) {}
    /// Creates a grid without a job, for planning. The grid equals the grid that rank `where.rank` would create in a job of the
    /// same size.
    grid(detail::place where, index<N> const& extents, options const& how = {})
        : mapping_(detail::make_grid(where, extents, how.nodes, how.mapping)) {}

    /// extent() returns the number of elements in dimension d. nodes() returns the number of nodes in dimension d. Throws a usage
    /// error if dimension d does not exist.
    [[nodiscard]] index_t extent(int d) const { return mapping_.axes[detail::dimension(d, N)].extent; }
    [[nodiscard]] int nodes(int d) const { return mapping_.grid.extent[detail::dimension(d, N)]; }
    [[nodiscard]] node_grid const& ranks() const noexcept { return mapping_.grid; }

    /// Returns this rank's part of the index space.
    [[nodiscard]] box<N> local() const {
        detail::note_own_loops(detail::checks(mapping_.place));
        return detail::to_box<N>(mapping_.owned());
    }

    /// Returns the range of all indices. The range of a loop is a global box, and each rank executes its own part of the box.
    [[nodiscard]] domain<N> all() const { return on(whole()); }
    /// Returns the range of all indices except the outermost layers of the whole index space. The number of layers is 1 for
    /// `inner()` and 2 for `inner(2)`. A list gives the number of layers for each side, as in a shadow, for example `inner({{0, 0},
    /// {1, 2}})`.
    /// Throws a usage error if an entry is `full`, or if the number of entries is neither one nor the number of dimensions.
    [[nodiscard]] domain<N> inner(index_t width = 1) const { return inner(shadow{width}); }
    [[nodiscard]] domain<N> inner(shadow const& widths) const { return on(detail::without(whole(), widths)); }
    /// Returns the range of the outermost layers on one side (0: low, 1: high) of dimension d. Throws a usage error if dimension d
    /// does not exist.
    [[nodiscard]] domain<N> face(int d, int side, index_t layers = 1) const {
        auto part = whole();
        auto const i = detail::dimension(d, N);
        (side == 0 ? part.upper : part.lower)[i] =
            side == 0 ? std::min(layers, extent(d)) : std::max<index_t>(extent(d) - layers, 0);
        return on(part);
    }
    /// Returns the range for any box of global indices.
    [[nodiscard]] domain<N> on(box<N> const& part) const {
        auto* const job = mapping_.place.job.get();
        return {part, detail::to_box<N>(mapping_.owned()), detail::checks(mapping_.place), job, detail::workers_of(job)};
    }

    operator alignment<N>() const { return alignment<N>{mapping_}; }

private:
    [[nodiscard]] box<N> whole() const {
        box<N> b;
        for (std::size_t d = 0; d < N; ++d) b.upper[d] = mapping_.axes[d].extent;
        return b;
    }

    detail::mapping mapping_;
};

} // namespace sode
