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

/// The rank grid (XcalableMP `nodes`), which maps coordinates to ranks and ranks to coordinates. Without a `mapping`, the last
/// coordinate varies fastest.
struct SODE_API node_grid {
    int dims = 1;
    std::array<int, max_dims> extent{1, 1, 1, 1, 1, 1, 1};
    detail::rank_order mapping; ///< rank of the k-th coordinate in row-major order; empty: k itself
    std::string reason;         ///< why the grid has these extents, for explain(); empty: the program chose them

    [[nodiscard]] int size() const noexcept;
    [[nodiscard]] int rank_of(std::array<int, max_dims> const& coordinates) const;
    /// Returns the rank of each node, in row-major order of coordinates.
    [[nodiscard]] std::vector<int> ranks() const;
    /// Returns the coordinates of a rank. All coordinates are -1 if the rank is not in the grid.
    [[nodiscard]] std::array<int, max_dims> coordinates(int rank) const;
};

/// One dimension of a distributed array.
///
/// The *place* of an element is its position along an axis. Each coordinate of the rank grid owns an interval of places. For block
/// distributions, the place of an element equals its index. Along a cyclic axis, the elements of coordinate 0 come first, in index
/// order, then the elements of coordinate 1, and so on.
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
    /// Returns the place of index i, with 0 <= i < extent. The cost is a few divisions if the axis is cyclic.
    [[nodiscard]] index_t place(index_t i) const noexcept;
    /// Returns the coordinate that owns index i, with 0 <= i < extent. The cost is O(log nodes).
    [[nodiscard]] int coordinate(index_t i) const noexcept;
    /// Returns the indices of a cyclic axis that coordinate `c` owns.
    [[nodiscard]] turns turns_of(int c) const noexcept;
    /// Computes the `bounds` of a cyclic axis for `nodes` nodes from extent, chunk and phase.
    void deal_out(int nodes);
};

/// The description of one distributed array, equal on all ranks: extents, distribution, shadow and memory layout. Each rank's
/// block, allocation and neighbours are computed from the geometry. The memory order is row-major: the last dimension is
/// contiguous. Only attached memory has strides that the program chooses (see attach()).
struct SODE_API geometry {
    int dims = 0;
    std::array<axis, max_dims> axes{};
    index_t element_bytes = 0;
    index_t components = 1; ///< > 1: a bundle, component-major (the block of component c follows the block of component c - 1)
    node_grid grid;
    std::string name; ///< for messages
    /// The byte strides of attached memory in each dimension, for each rank. `brought` is empty if Sode allocated the memory.
    std::vector<std::array<index_t, max_dims>> brought;
    /// True if the ranks on a machine share one address space. In a common address space, ranks can also read each other's attached
    /// memory.
    bool one_address_space = false;
    /// True if rows may be padded to whole cache lines. Rows are not padded if no other rank can read the memory directly, because
    /// messages would include the padding.
    bool padded = true;
    /// The number of places that every rank allocates in each dimension. No block may be larger than `room`. With `room`, strides
    /// are equal on all ranks and known at compile time, and rows are not padded. If `room` is 0, each rank allocates as many
    /// places as its block has.
    std::array<index_t, max_dims> room{};

    struct span {
        index_t lower = 0, upper = 0;
        [[nodiscard]] index_t size() const noexcept { return upper > lower ? upper - lower : 0; }
    };
    using block = std::array<span, max_dims>;

    /// True if the ranks on a machine can access each other's blocks. Memory that Sode allocated is always accessible; attached
    /// memory is accessible only in one address space.
    [[nodiscard]] bool shared() const noexcept { return brought.empty() || one_address_space; }
    /// True if any axis is cyclic. Along a cyclic axis, places differ from indices, and a rank's elements do not form a box.
    [[nodiscard]] bool cyclic() const noexcept;
    [[nodiscard]] block owned(int rank) const;     ///< places, see axis; all spans empty if the rank owns nothing
    [[nodiscard]] block allocated(int rank) const; ///< owned and shadow (on every side); empty if `owned` is empty
    [[nodiscard]] std::array<index_t, max_dims> strides(int rank) const; ///< byte strides in each dimension
    [[nodiscard]] index_t component_bytes(int rank) const; ///< distance between components in bytes: the allocated block and its
                                                           ///< padding
    [[nodiscard]] index_t bytes(int rank) const;           ///< size of the allocation in bytes, all components
    /// Returns the rank that owns global index `at`. If several ranks have a copy, the result is the rank with coordinate 0 in each
    /// grid dimension along which the array is replicated. Throws a usage error if `at` is outside the array. The cost is O(dims
    /// log nodes).
    [[nodiscard]] int owner(std::array<index_t, max_dims> const& at) const;
    /// Returns the places of global index `at`, which must be inside the array.
    [[nodiscard]] std::array<index_t, max_dims> places(std::array<index_t, max_dims> const& at) const noexcept;
    /// Returns the byte offset of the element at `places` (component 0) in the allocation of `rank`, which must contain the
    /// element.
    [[nodiscard]] index_t offset(int rank, std::array<index_t, max_dims> const& places) const;
    /// Returns a hash value that is equal on all ranks if all ranks describe the same array. The hash values of different arrays
    /// are almost certainly different. Names do not influence the hash value.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

namespace detail {
/// Like geometry::owned(), but without an array. owned_part() is called in every time step, so owned_part() does not allocate
/// memory.
[[nodiscard]] SODE_API geometry::block owned_part(int dims, std::array<axis, max_dims> const& axes, node_grid const& grid,
                                                  int rank);
/// Returns the first cyclic dimension, or -1 if no dimension is cyclic.
[[nodiscard]] SODE_API int cyclic_dim(int dims, std::array<axis, max_dims> const& axes) noexcept;
/// Throws a usage error: a rank's part of `what` is not a box, because dimension `dim` is cyclic.
[[noreturn]] SODE_API void no_box(std::string const& what, int dim);
} // namespace detail

} // namespace sode
