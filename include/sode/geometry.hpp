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

/// The rank grid (XcalableMP `nodes`): maps coordinates to ranks and back. Without a mapping the last dimension varies fastest.
struct SODE_API node_grid {
    int dims = 1;
    std::array<int, max_dims> extent{1, 1, 1, 1, 1, 1, 1};
    detail::rank_order mapping; ///< rank of the k-th coordinate in row-major order; empty: k itself
    std::string reason;         ///< why a grid has these extents, for explain(); empty: the program gave them

    [[nodiscard]] int size() const noexcept;
    [[nodiscard]] int rank_of(std::array<int, max_dims> const& coordinates) const;
    /// The rank of each node, in row-major order of coordinates.
    [[nodiscard]] std::vector<int> ranks() const;
    /// The coordinates of a rank; all -1 if the rank is not in the grid.
    [[nodiscard]] std::array<int, max_dims> coordinates(int rank) const;
};

/// One dimension of a distributed array.
///
/// The *place* of an element is its position along an axis: each coordinate of the rank grid has an interval of places. If ranks
/// own blocks, the place is the index. Along a cyclic axis, the place differs from the index: the elements of coordinate 0 come
/// first, in the order of their indices, then the elements of coordinate 1, …
struct SODE_API axis {
    index_t extent = 0;          ///< global number of elements
    int grid_dim = -1;           ///< the dimension of the rank grid over which this dimension is spread; -1: not spread
    std::vector<index_t> bounds; ///< coordinate c owns the places [bounds[c], bounds[c + 1]); {0, extent} if not spread
    index_t shadow_lower = 0;    ///< halo elements below and above each block
    index_t shadow_upper = 0;
    bool full = false; ///< full shadow: every rank that owns elements has room for the whole dimension; the widths are 0
    index_t chunk = 0; ///< > 0: cyclic, this many elements at a time
    index_t phase = 0; ///< cyclic: index i is distributed like index i + phase of a template that begins at coordinate 0

    [[nodiscard]] bool cyclic() const noexcept { return chunk > 0; }
    [[nodiscard]] int nodes() const noexcept { return static_cast<int>(bounds.size()) - 1; }
    /// The place of index i, 0 <= i < extent. Cost: a few divisions if cyclic, otherwise nothing.
    [[nodiscard]] index_t place(index_t i) const noexcept;
    /// The coordinate that owns index i, 0 <= i < extent. Cost: O(log nodes).
    [[nodiscard]] int coordinate(index_t i) const noexcept;
    /// Cyclic: the indices of coordinate `c`.
    [[nodiscard]] turns turns_of(int c) const noexcept;
    /// Cyclic: computes `bounds` for `nodes` nodes from extent, chunk and phase.
    void deal_out(int nodes);
};

/// All facts that every rank knows about one distributed array. Pure data, equal on all ranks. Each rank's block, allocation and
/// neighbours follow from it by arithmetic. Memory order is row-major: the last dimension is contiguous. (Attached memory has the
/// program's own strides: see attach().)
struct SODE_API geometry {
    int dims = 0;
    std::array<axis, max_dims> axes{};
    index_t element_bytes = 0;
    index_t components = 1; ///< > 1: a bundle, component-major (component c is a whole block after component c - 1)
    node_grid grid;
    std::string name; ///< for messages
    /// Attached memory: for each rank, bytes between neighbours in each dimension. Empty: Sode allocated the memory.
    std::vector<std::array<index_t, max_dims>> brought;
    /// The ranks on a machine share one address space, so all of them can load attached memory, too.
    bool one_address_space = false;
    /// Rows may be padded to whole cache lines. False if no other rank can load the memory. Then rows travel in messages, which
    /// would include the padding.
    bool padded = true;
    /// Number of places that every rank allocates in each dimension; no block is larger. So strides are equal on all ranks, and
    /// known when a program is compiled. Then rows are not padded. 0: the number of places of the block.
    std::array<index_t, max_dims> room{};

    struct span {
        index_t lower = 0, upper = 0;
        [[nodiscard]] index_t size() const noexcept { return upper > lower ? upper - lower : 0; }
    };
    using block = std::array<span, max_dims>;

    /// True if the ranks on a machine can load each other's blocks: always for memory that Sode allocated; for attached memory only
    /// in one address space.
    [[nodiscard]] bool shared() const noexcept { return brought.empty() || one_address_space; }
    /// True if an axis is cyclic. Then places are not indices, and the elements of a rank are not a box.
    [[nodiscard]] bool cyclic() const noexcept;
    [[nodiscard]] block owned(int rank) const;     ///< places, see axis; all spans empty if the rank owns nothing
    [[nodiscard]] block allocated(int rank) const; ///< owned and shadow (on every side); empty if owned is empty
    [[nodiscard]] std::array<index_t, max_dims> strides(int rank) const; ///< bytes between neighbours in each dimension
    [[nodiscard]] index_t component_bytes(int rank) const; ///< bytes between components: the allocated block and padding
    [[nodiscard]] index_t bytes(int rank) const;           ///< bytes of the allocation, all components
    /// The rank that owns global index `at`. If several ranks have a copy: the rank whose coordinate is 0 in each grid dimension
    /// along which the array is replicated. Errors: usage, if `at` is not in the array. Cost: O(dims log nodes).
    [[nodiscard]] int owner(std::array<index_t, max_dims> const& at) const;
    /// The places of global index `at`, which must be in the array.
    [[nodiscard]] std::array<index_t, max_dims> places(std::array<index_t, max_dims> const& at) const noexcept;
    /// Byte offset of the element at these places (component 0) in `rank`'s allocation, which must contain this element.
    [[nodiscard]] index_t offset(int rank, std::array<index_t, max_dims> const& places) const;
    /// Equal on ranks that described the same array; very likely different otherwise. Names do not count.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

namespace detail {
/// As geometry::owned(), without an array. Called in every time step: no allocation.
[[nodiscard]] SODE_API geometry::block owned_part(int dims, std::array<axis, max_dims> const& axes, node_grid const& grid,
                                                  int rank);
/// The first cyclic dimension; -1 if no dimension is cyclic.
[[nodiscard]] SODE_API int cyclic_dim(int dims, std::array<axis, max_dims> const& axes) noexcept;
/// Throws an error: the part of a rank is not a box, because dimension `dim` of `what` is cyclic. Errors: usage, always.
[[noreturn]] SODE_API void no_box(std::string const& what, int dim);
} // namespace detail

} // namespace sode
