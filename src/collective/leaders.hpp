// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/algorithm.hpp"

namespace sode::internal {

// L leaders of each machine, each of which speaks to the same number's of other machines for a share of the bytes: more cores copy,
// combine and send at once (DPML, Bayatpour et al. 2017; PiP-MColl, Huang et al. 2023). Each share is a collective of its own, and
// the plan of a rank is what it does in all of them, side by side. A machine with fewer ranks than leaders has ranks that speak for
// several shares.
//
// Of what rounds, the order in which it is combined is that of one leader where an algorithm keeps the order of the ranks. Where
// it combines part by part (ring, recursive-halving), parts are cut from the shares: so the number of leaders is not chosen there.

/// The most leaders that can share the work: as many as a machine has ranks, and each gets something. 1, if no machine has two.
[[nodiscard]] int most_leaders(algorithm const& a, collective_terms const& t);
/// The terms of share number `speaker` of `t.leaders`, and where it begins.
struct leader_share {
    collective_terms terms;
    std::int64_t begin = 0;
};
[[nodiscard]] leader_share share_of_leader(collective_terms const& t, int speaker);

/// As algorithm::cost and algorithm::build, by `t.leaders`.
[[nodiscard]] expense cost_by_leaders(algorithm const& a, collective_terms const& t, distance apart);
[[nodiscard]] plan build_by_leaders(algorithm const& a, collective_terms const& t, int rank);

} // namespace sode::internal
