// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/nodes.hpp>

#include <span>
#include <string>
#include <vector>

namespace sode::internal {

/// How many nodes a grid has in each dimension, and why so many.
struct grid_shape {
    std::vector<int> nodes;
    std::string reason; ///< for explain(): "dimension 0 is cut, as the program says"
};

/// Spreads `ranks` over a grid of these extents, as grid_options::nodes says: numbers are kept, every `any` is cut if the ranks
/// have factors enough, and of what is left to the library the last dimension stays whole unless ranks would own nothing. Of all
/// ways to do that, one of the least surface.
///
/// \param wanted  one for each dimension; the numbers among them divide `ranks`
/// Pure; cost: the ways to write the ranks as a product, some thousands at most.
[[nodiscard]] grid_shape choose_shape(int ranks, std::span<index_t const> extents, std::span<node_extent const> wanted);

/// For explain(): "grid: 4 x 1, dimension 0 is cut; …\n". Empty, if nothing could be cut.
[[nodiscard]] std::string describe_grid(geometry const& g);

} // namespace sode::internal
