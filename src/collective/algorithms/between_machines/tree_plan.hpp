// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/algorithms/between_machines/leader_plan.hpp"

#include <vector>

namespace sode::internal {

/// Where a machine stands in a tree of all machines.
struct machine_tree {
    int top = 0;
    int parent = -1;             ///< of the top: -1
    std::vector<int> children{}; ///< in the order in which what they give is combined, behind what this machine gives; sent to from
                                 ///< the last one on

    /// The k-nomial tree of `all` numbers, of number v: the children v + j * radix^i, for each digit i below the lowest of v that
    /// is not 0, and 0 < j < radix. What is below v are numbers that follow it.
    [[nodiscard]] static machine_tree k_nomial(int v, int all);
    static constexpr int radix = 4;
};

/// Broadcasts down a tree of machines, reductions up, and what all get first up and then down.
[[nodiscard]] plan tree_plan(collective_terms const& t, int rank, machine_tree const& tree);

} // namespace sode::internal
