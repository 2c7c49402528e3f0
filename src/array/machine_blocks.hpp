// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/nodes.hpp>

#include <span>
#include <string>
#include <vector>

namespace sode::internal {

/// The ranks of a rank grid's nodes such that what passes between neighbours on different machines costs least: each machine gets a
/// block of the grid, where all have as many ranks and such a block fits; else its ranks follow one another. Empty, if that is no
/// better than the order 0, 1, 2, …
///
/// Pure, and equal on all ranks; cost: O(nodes), and a few hundred shapes of blocks.
/// \param machine_of  of each rank of the job; empty: all on one
/// \param face_costs  of an edge between machines across each dimension; empty: all the same
[[nodiscard]] std::vector<int> order_by_machine(node_grid const& grid, std::span<int const> machine_of,
                                                std::span<double const> face_costs);

/// Pairs of neighbours on different machines, periodic ones left out.
[[nodiscard]] std::int64_t edges_between_machines(node_grid const& grid, std::span<int const> machine_of);

/// For explain(): "mapping: machines of 2x1, 4 edges between machines instead of 6\n".
[[nodiscard]] std::string describe_mapping(node_grid const& grid, std::span<int const> machine_of);

/// The machine of each rank; empty: all on one.
[[nodiscard]] std::vector<int> machines_of(detail::place const& where);

} // namespace sode::internal
