// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/block_terms.hpp"
#include "cost/expense.hpp"

namespace sode::internal {

// Bruck's algorithms of radix k, between machines: allgather and alltoall in as many rounds as the number of machines has digits,
// of k - 1 messages each. Ranks of a machine put what they give into memory of their leader, and take what they get from there; so
// the unit is what all ranks of one machine have for another one, however many they are. With a radix of the number of machines or
// more there is one round, of one message between each two machines, and alltoall forwards nothing.
//
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all communications in multiport message-passing
// systems", IEEE TPDS 8 (1997).

/// The part of one rank. Pure.
[[nodiscard]] plan plan_bruck(block_terms const& t, int rank);
/// What an epoch should cost the rank that waits longest. Closed form.
[[nodiscard]] expense cost_of_bruck(block_terms const& t);
/// The same if each pair of ranks of two machines has a message of its own.
[[nodiscard]] expense cost_of_pairs(block_terms const& t);

/// Sets radix and leaders to those that cost least, or to what is asked for: 0 leaves the choice.
void choose_bruck(block_terms& t, int radix = 0, int leaders = 0);
/// The fewest ranks that a machine has: the most leaders.
[[nodiscard]] int fewest_ranks(machine_map const& machines);

} // namespace sode::internal
