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

/// The rank grid (XcalableMP `nodes`): coordinates <-> ranks. The last dimension varies fastest, unless a mapping says otherwise.
struct SODE_API node_grid {
    int dims = 1;
    std::array<int, max_dims> extent{1, 1, 1, 1, 1, 1, 1};
    detail::rank_order mapping; ///< rank of the k-th coordinate in row-major order; empty: k itself
    std::string reason;         ///< why a grid has these extents, for explain(); empty: nobody chose them

    [[nodiscard]] int size() const noexcept;
    [[nodiscard]] int rank_of(std::array<int, max_dims> const& coordinates) const;
    /// The rank of each node, in row-major order of coordinates.
    [[nodiscard]] std::vector<int> ranks() const;
    /// All -1 for a rank that is not in the grid.
    [[nodiscard]] std::array<int, max_dims> coordinates(int rank) const;
};

/// One dimension of a distributed array.
///
/// An element's *place* along an axis says where it lies: each coordinate of the rank grid has an interval of places. Where ranks
/// own blocks, the place is the index itself. Along a cyclic axis it is not: there the elements of coordinate 0 come first, in the
/// order of their indices, then those of coordinate 1, …
struct SODE_API axis {
    index_t extent = 0;          ///< global number of elements
    int grid_dim = -1;           ///< the dimension of the rank grid it is spread over, -1: not spread
    std::vector<index_t> bounds; ///< coordinate c owns the places [bounds[c], bounds[c + 1]); {0, extent} if not spread
    index_t shadow_lower = 0;    ///< halo elements below and above each block
    index_t shadow_upper = 0;
    bool full = false; ///< full shadow: every rank that owns something has room for all of it; the widths are 0
    index_t chunk = 0; ///< > 0: cyclic, dealt out that many elements at a time
    index_t phase = 0; ///< cyclic: index i is dealt out as index i + phase of a template is, which begins at coordinate 0

    [[nodiscard]] bool cyclic() const noexcept { return chunk > 0; }
    [[nodiscard]] int nodes() const noexcept { return static_cast<int>(bounds.size()) - 1; }
    /// The place of index i, 0 <= i < extent. Cost: a few divisions where cyclic, else nothing.
    [[nodiscard]] index_t place(index_t i) const noexcept;
    /// The coordinate that owns index i, 0 <= i < extent. Cost: O(log nodes).
    [[nodiscard]] int coordinate(index_t i) const noexcept;
    /// Cyclic: the indices of coordinate `c`.
    [[nodiscard]] turns turns_of(int c) const noexcept;
    /// Cyclic: sets `bounds` for that many nodes, from extent, chunk and phase.
    void deal_out(int nodes);
};

/// Everything that every rank knows about one distributed array: pure data, equal on all ranks, from which each rank's block, its
/// allocation and its neighbours follow by arithmetic. Memory order is row-major: the last dimension is contiguous. (Users' own
/// memory lies as they say: see attach().)
struct SODE_API geometry {
    int dims = 0;
    std::array<axis, max_dims> axes{};
    index_t element_bytes = 0;
    index_t components = 1; ///< > 1: a bundle, component-major (component c is a whole block behind component c - 1)
    node_grid grid;
    std::string name; ///< for messages
    /// Of memory that users brought, by rank: bytes between neighbours in each dimension. Empty: memory of Sode's own.
    std::vector<std::array<index_t, max_dims>> brought;
    /// The ranks of a machine have one address space, so that what users brought can be loaded by all of them, too.
    bool one_address_space = false;
    /// Rows may be padded to whole cache lines. Not where every rank has its memory for itself: nobody reads rows there but in
    /// messages, which then carry the padding.
    bool padded = true;
    /// Places in each dimension by which every rank lays out its block, so that strides are equal on all of them, and known when a
    /// program is compiled; 0: as many as the block has. No block has more. Rows are not padded then.
    std::array<index_t, max_dims> room{};

    struct span {
        index_t lower = 0, upper = 0;
        [[nodiscard]] index_t size() const noexcept { return upper > lower ? upper - lower : 0; }
    };
    using block = std::array<span, max_dims>;

    /// True if the ranks of a machine can load each other's blocks: of Sode's own memory; of what users brought only in one address
    /// space.
    [[nodiscard]] bool shared() const noexcept { return brought.empty() || one_address_space; }
    /// True if an axis is cyclic. Then places are not indices, and a rank's elements are no box.
    [[nodiscard]] bool cyclic() const noexcept;
    [[nodiscard]] block owned(int rank) const;     ///< places, see axis; all spans empty if the rank owns nothing
    [[nodiscard]] block allocated(int rank) const; ///< owned plus shadow (also where no neighbour is); as owned if that is empty
    [[nodiscard]] std::array<index_t, max_dims> strides(int rank) const; ///< bytes between neighbours in each dimension
    [[nodiscard]] index_t component_bytes(int rank) const; ///< from one component to the next: its allocated block and some padding
    [[nodiscard]] index_t bytes(int rank) const;           ///< of the allocation, all components
    /// The rank that owns global index `at`; where several hold a copy, the one at coordinate 0 of the dimensions that `at` does
    /// not decide. Errors: usage, if `at` is not in the array. Cost: O(dims log nodes).
    [[nodiscard]] int owner(std::array<index_t, max_dims> const& at) const;
    /// The places of global index `at`, which is in the array.
    [[nodiscard]] std::array<index_t, max_dims> places(std::array<index_t, max_dims> const& at) const noexcept;
    /// Byte offset of the element at these places (component 0) in `rank`'s allocation; it must be allocated there.
    [[nodiscard]] index_t offset(int rank, std::array<index_t, max_dims> const& places) const;
    /// Equal on ranks that described the same array; differs (with all likelihood) else. Names do not count.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

namespace detail {
/// What geometry::owned() says, for what is no array yet. Called in every time step: no allocation.
[[nodiscard]] SODE_API geometry::block owned_part(int dims, std::array<axis, max_dims> const& axes, node_grid const& grid,
                                                  int rank);
/// The dimension that is cyclic, the first one; -1 if none is.
[[nodiscard]] SODE_API int cyclic_dim(int dims, std::array<axis, max_dims> const& axes) noexcept;
/// Complains that a rank's part of `what` is no box, because dimension `dim` is cyclic. Errors: usage, always.
[[noreturn]] SODE_API void no_box(std::string const& what, int dim);
} // namespace detail

} // namespace sode
