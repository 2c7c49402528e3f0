// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sode {

/// The rank grid (XcalableMP `nodes`): coordinates <-> ranks. The last dimension varies fastest, unless a mapping says otherwise.
struct node_grid {
    int dims = 1;
    std::array<int, max_dims> extent{1, 1, 1, 1, 1, 1, 1};
    std::vector<int> mapping; ///< rank of the k-th coordinate in row-major order; empty: k itself

    [[nodiscard]] int size() const noexcept;
    [[nodiscard]] int rank_of(std::array<int, max_dims> const& coordinates) const;
    /// All -1 for a rank that is not in the grid.
    [[nodiscard]] std::array<int, max_dims> coordinates(int rank) const;
};

/// One dimension of a distributed array.
struct axis {
    index_t extent = 0;          ///< global number of elements
    int grid_dim = -1;           ///< the dimension of the rank grid it is spread over, -1: not spread
    std::vector<index_t> bounds; ///< coordinate c owns [bounds[c], bounds[c + 1]); {0, extent} if not spread
    index_t shadow_lower = 0;    ///< halo elements below and above each block
    index_t shadow_upper = 0;
};

/// Everything that every rank knows about one distributed array: pure data, equal on all ranks, from which each rank's block, its
/// allocation and its neighbours follow by arithmetic. Memory order is row-major: the last dimension is contiguous.
struct geometry {
    int dims = 0;
    std::array<axis, max_dims> axes{};
    index_t element_bytes = 0;
    index_t components = 1; ///< > 1: a bundle, component-major (component c is a whole block behind component c - 1)
    node_grid grid;
    std::string name; ///< for messages

    struct span {
        index_t lower = 0, upper = 0;
        [[nodiscard]] index_t size() const noexcept { return upper > lower ? upper - lower : 0; }
    };
    using block = std::array<span, max_dims>;

    [[nodiscard]] block owned(int rank) const;     ///< global indices; all spans empty if the rank owns nothing
    [[nodiscard]] block allocated(int rank) const; ///< owned plus shadow (also where no neighbour is); as owned if that is empty
    [[nodiscard]] std::array<index_t, max_dims> strides(int rank) const; ///< bytes between neighbours in each dimension
    [[nodiscard]] index_t component_bytes(int rank) const; ///< from one component to the next: its allocated block and some padding
    [[nodiscard]] index_t bytes(int rank) const;           ///< of the allocation, all components
    /// The rank that owns global index `at`; where several hold a copy, the one at coordinate 0 of the dimensions that `at` does
    /// not decide. Errors: usage, if `at` is not in the array. Cost: O(dims log nodes).
    [[nodiscard]] int owner(std::array<index_t, max_dims> const& at) const;
    /// Byte offset of global index `at` (component 0) in `rank`'s allocation; `at` must be allocated there.
    [[nodiscard]] index_t offset(int rank, std::array<index_t, max_dims> const& at) const;
    /// Equal on ranks that described the same array; differs (with all likelihood) else. Names do not count.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;
};

namespace detail {
/// What geometry::owned() says, for what is no array yet. Called in every time step: no allocation.
[[nodiscard]] geometry::block owned_part(int dims, std::array<axis, max_dims> const& axes, node_grid const& grid, int rank);
} // namespace detail

} // namespace sode
