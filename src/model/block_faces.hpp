// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/chooser.hpp"
#include "model/makespan.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sode::internal {

/// An array cut into blocks as a sode::grid cuts it, one for each position of a grid (row-major, the last dimension varying fastest
/// and contiguous in memory), whose faces travel both ways.
struct block_grid {
    std::vector<std::int64_t> extents{}; ///< elements in each dimension
    std::vector<int> blocks{};           ///< how many each is cut into
    std::int64_t width = 1;              ///< layers that travel
    std::int64_t element_bytes = 8;
    bool periodic = false;

    [[nodiscard]] int dims() const noexcept { return static_cast<int>(extents.size()); }
    [[nodiscard]] int size() const noexcept;
    /// Elements of block c along dimension d: of n over p, the first n mod p have one more than the others.
    [[nodiscard]] std::int64_t block(int d, int c) const noexcept;
    /// The face across dimension d of a block with these elements. Rows run on through dimensions that are not cut: only those that
    /// are have a shadow between them.
    [[nodiscard]] edge_features face(int d, std::span<std::int64_t const> elements) const noexcept;
};

/// Every face that travels from one block to another, without corners. Face 2d of the result goes to the lower neighbour in the
/// d-th of the dimensions that are cut, 2d + 1 to the upper one. Cost: O(blocks).
[[nodiscard]] std::vector<network_edge> edges_of(block_grid const& g);

/// The faces of edges_of() as people name them: "0-", "0+", "1-", ….
[[nodiscard]] std::vector<std::string> face_names(block_grid const& g);

} // namespace sode::internal
