// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/algorithms/between_machines/leader_plan.hpp"

#include <vector>

namespace sode::internal {

/// Whom a machine meets where as many machines as a power of two exchange what they have, in pairs. Each of the others hands in
/// what it has to one of them, and is told the result.
struct machine_pairs {
    struct meeting {
        int other;
        bool lower; ///< of the two, this one keeps the lower half, and its values come first
    };
    std::vector<meeting> rounds; ///< as many on all machines
    int hands_in = -1;           ///< the machine that hands in to this one; -1: there is none
    int told_by = -1;            ///< the machine to which this one hands in; -1: it takes part
};

/// All get what all have combined: groups that know of each other double in each round. The fewest rounds.
[[nodiscard]] plan doubling_plan(collective_terms const& t, int rank, machine_pairs const& pairs);
/// All get what all have combined: two leaders exchange halves of what they have, then halves of those, until each has combined a
/// part; then the parts are put together the same way back. No byte moves more than twice.
[[nodiscard]] plan halving_plan(collective_terms const& t, int rank, machine_pairs const& pairs);

/// `others`: how many machines hand in.
[[nodiscard]] expense doubling_cost(collective_terms const& t, int rounds, int others) noexcept;
[[nodiscard]] expense halving_cost(collective_terms const& t, int rounds, int others) noexcept;
/// Whether an allreduce has one amount, of a number for each machine at least.
[[nodiscard]] bool can_be_halved(collective_terms const& t) noexcept;

} // namespace sode::internal
