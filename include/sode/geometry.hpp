// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/rank_order.hpp>
#include <sode/turns.hpp>
#include <sode/types.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sode {

/// The rank grid (XcalableMP `nodes`): maps coordinates to ranks, and ranks to coordinates. Without a mapping, the last dimension
/// varies fastest.
struct SODE_API node_grid {
    int dims = 1;
    std::array<int, max_dims> extent{1, 1, 1, 1, 1, 1, 1};
    detail::rank_order mapping; ///< rank of the k-th coordinate in row-major order; empty: k itself
    std::string reason;         ///< why the grid has these extents, for explain(); empty: the program chose them

    [[nodiscard]] int size() const noexcept;
    [[nodiscard]] int rank_of(std::array<int, max_dims> const& coordinates) const;
    /// The rank of each node, in row-major order of coordinates.
    [[nodiscard]] std::vector<int> ranks() const;
    /// The coordinates of a rank; all are -1 if the rank is not in the grid.
    [[nodiscard]] std::array<int, max_dims> coordinates(int rank) const;
};

/// One dimension of a distributed array.
///
/// The *place* of an element is its position along an axis: each coordinate of the rank grid owns an interval of places. For block
/// distributions, the place equals the index. Along a cyclic axis, the place differs from the index: the elements of coordinate 0
/// come first, in index order, then the elements of coordinate 1, …
struct SODE_API axis {
    index_t extent = 0;          ///< global number of elements
    int grid_dim = -1;           ///< the dimension of the rank grid over which this dimension is distributed; -1: not distributed
    std::vector<index_t> bounds; ///< coordinate c owns the places [bounds[c], bounds[c + 1]); {0, extent} if not distributed
    index_t shadow_lower = 0;    ///< halo elements below and above each block
    index_t shadow_upper = 0;
    bool full = false; ///< full shadow: every rank that owns elements allocates the whole dimension; the widths are 0
    index_t chunk = 0; ///< > 0: cyclic, with this many elements per chunk
    index_t phase = 0; ///< cyclic: index i is distributed like index i + phase of a template whose first index belongs to
                       ///< coordinate 0

    [[nodiscard]] bool cyclic() const noexcept { return chunk > 0; }
    [[nodiscard]] int nodes() const noexcept { return static_cast<int>(bounds.size()) - 1; }
    /// The place of index i, with 0 <= i < extent. Cost: a few divisions if the axis is cyclic, otherwise none.
    [[nodiscard]] index_t place(index_t i) const noexcept;
    /// The coordinate that owns index i, with 0 <= i < extent. Cost: O(log nodes).
    [[nodiscard]] int coordinate(index_t i) const noexcept;
    /// For a cyclic axis: the indices that coordinate `c` owns.
    [[nodiscard]] turns turns_of(int c) const noexcept;
    /// For a cyclic axis: computes `bounds` for `nodes` nodes from extent, chunk and phase.
    void deal_out(int nodes);
};

/// All properties of one distributed array that every rank knows. The geometry is equal on all ranks. Each rank's block, allocation
/// and neighbours are computed from the geometry. Memory order is row-major: the last dimension is contiguous. (Attached memory has
/// the strides that the program chose: see attach().)
struct SODE_API geometry {
    int dims = 0;
    std::array<axis, max_dims> axes{};
    index_t element_bytes = 0;
    index_t components = 1; ///< > 1: a bundle, component-major (the block of component c follows the block of component c - 1)
    node_grid grid;
    std::string name; ///< for messages
    /// For attached memory: the byte strides in each dimension, for each rank. Empty if Sode allocated the memory.
    std::vector<std::array<index_t, max_dims>> brought;
    /// The ranks on a machine share one address space, so they can also read each other's attached memory.
    bool one_address_space = false;
    /// Rows may be padded to whole cache lines. False if no other rank can read the memory directly: rows are then sent in
    /// messages, which would include the padding.
    bool padded = true;
    /// Number of places that every rank allocates in each dimension; no block may be larger. So strides are equal on all ranks, and
    /// known at compile time. If every rank allocates the same number of places, rows are not padded. 0: allocate as many places as
    /// the block has.
    std::array<index_t, max_dims> room{};

    struct span {
        index_t lower = 0, upper = 0;
        [[nodiscard]] index_t size() const noexcept { return upper > lower ? upper - lower : 0; }
    };
    using block = std::array<span, max_dims>;

    /// True if the ranks on a machine can access each other's blocks: always for memory that Sode allocated; for attached memory,
    /// only in one address space.
    [[nodiscard]] bool shared() const noexcept { return brought.empty() || one_address_space; }
    /// True if any axis is cyclic. Along a cyclic axis, places are not indices, and a rank's elements do not form a box.
    [[nodiscard]] bool cyclic() const noexcept;
    [[nodiscard]] block owned(int rank) const;     ///< places, see axis; all spans empty if the rank owns nothing
    [[nodiscard]] block allocated(int rank) const; ///< owned and shadow (on every side); empty if `owned` is empty
    [[nodiscard]] std::array<index_t, max_dims> strides(int rank) const; ///< byte strides in each dimension
    [[nodiscard]] index_t component_bytes(int rank) const; ///< distance between components in bytes: the allocated block and its
                                                           ///< padding
    [[nodiscard]] index_t bytes(int rank) const;           ///< size of the allocation in bytes, all components
    /// The rank that owns global index `at`. If several ranks have a copy: the rank that has coordinate 0 in each grid dimension
    /// along which the array is replicated. Errors: usage, if `at` is outside the array. Cost: O(dims log nodes).
    [[nodiscard]] int owner(std::array<index_t, max_dims> const& at) const;
    /// The places of global index `at`, which must be inside the array.
    [[nodiscard]] std::array<index_t, max_dims> places(std::array<index_t, max_dims> const& at) const noexcept;
    /// The byte offset of the element at these places (component 0) in the allocation of `rank`, which must contain the element.
    [[nodiscard]] index_t offset(int rank, std::array<index_t, max_dims> const& places) const;
    /// A hash: equal on all ranks that described the same array, and almost certainly different otherwise. Names are ignored.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

namespace detail {
/// Like geometry::owned(), but without an array. The function is called in every time step, so it allocates nothing.
[[nodiscard]] SODE_API geometry::block owned_part(int dims, std::array<axis, max_dims> const& axes, node_grid const& grid,
                                                  int rank);
/// The first cyclic dimension; -1 if there is none.
[[nodiscard]] SODE_API int cyclic_dim(int dims, std::array<axis, max_dims> const& axes) noexcept;
/// Throws an error: a rank's part of `what` is not a box, because dimension `dim` is cyclic. Errors: usage, always.
[[noreturn]] SODE_API void no_box(std::string const& what, int dim);
} // namespace detail

} // namespace sode
