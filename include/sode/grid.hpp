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

/// The arrangement of the ranks in a grid.
template <int N> struct grid_options {
    /// Nodes in each dimension; their product is the number of ranks. A number is fixed. A dimension with `any` is always split, if
    /// the number of ranks has enough factors: `{any, any}` makes a grid of 2 x 2 from 4 ranks. The library chooses entries that
    /// are left out (by default all). Unless ranks would own nothing, the last dimension stays whole, because halos across that
    /// dimension are strided. Among the remaining grids, the library minimises the surface of the blocks. reflection::explain()
    /// prints the result and the reason.
    std::array<node_extent, static_cast<std::size_t>(N)> nodes{};
    /// The rank of each node in row-major order, or in_order. By default, if the job has several machines, each machine gets a
    /// block of nodes. The blocks are chosen so that the most expensive faces (by the cost model) stay within a machine.
    node_order mapping{};
};

/// The usual index space: a rank grid and a balanced block distribution over all ranks in one object. For n elements over p nodes,
/// the first n mod p nodes get one element more than the others. For other distributions see nodes, distribution and align().
///
///     grid<2> g{rt, {ny, nx}};                       // rows of blocks, the contiguous dimension whole
///     grid<3> g{rt, {nz, ny, nx}, {.nodes = {2, any, 1}}};
///     grid<2> g{rt, {10, nx}};                       // over 8 ranks, rows: 2 2 1 1 1 1 1 1
template <int N> class grid {
    static_assert(N >= 1 && N <= max_dims, "a grid has 1 to 7 dimensions");

public:
    using options = grid_options<N>;

    /// \param extents  elements in each dimension; the last dimension is contiguous in memory
    /// Errors: usage, for negative extents, if the number of nodes is not the number of ranks, or if the mapping is not one-to-one.
    grid(runtime const& rt, index<N> const& extents, options const& how = {}) : grid(detail::place{rt}, extents, how) {}
    /// A grid without a job, for planning: the grid that rank `where.rank` of a job of any size would make.
    grid(detail::place where, index<N> const& extents, options const& how = {})
        : mapping_(detail::make_grid(where, extents, how.nodes, how.mapping)) {}

    /// Number of elements, and of nodes, in dimension d. Errors: usage, if there is no such dimension.
    [[nodiscard]] index_t extent(int d) const { return mapping_.axes[detail::dimension(d, N)].extent; }
    [[nodiscard]] int nodes(int d) const { return mapping_.grid.extent[detail::dimension(d, N)]; }
    [[nodiscard]] node_grid const& ranks() const noexcept { return mapping_.grid; }

    /// This rank's part of the index space.
    [[nodiscard]] box<N> local() const {
        detail::note_own_loops(detail::checks(mapping_.place));
        return detail::to_box<N>(mapping_.owned());
    }

    /// Ranges for loops: global boxes. Each rank loops over its part. all(): all indices;
    [[nodiscard]] domain<N> all() const { return on(whole()); }
    /// inner(): all indices except the outermost layers of the whole index space, with the number of layers as in a shadow:
    /// `inner()` (one), `inner(2)`, `inner({{0, 0}, {1, 2}})`. Errors: usage, if an entry is `full`, or if there is neither one
    /// entry nor one for each dimension;
    [[nodiscard]] domain<N> inner(index_t width = 1) const { return inner(shadow{width}); }
    [[nodiscard]] domain<N> inner(shadow const& widths) const { return on(detail::without(whole(), widths)); }
    /// face(): the outermost layers of one side (0: low, 1: high) of one dimension. Errors: usage, if there is no such dimension;
    [[nodiscard]] domain<N> face(int d, int side, index_t layers = 1) const {
        auto part = whole();
        auto const i = detail::dimension(d, N);
        (side == 0 ? part.upper : part.lower)[i] =
            side == 0 ? std::min(layers, extent(d)) : std::max<index_t>(extent(d) - layers, 0);
        return on(part);
    }
    /// on(): any box of global indices.
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
