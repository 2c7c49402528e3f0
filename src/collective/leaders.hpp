// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/algorithm.hpp"

#include <optional>

namespace sode::internal {

// L leaders of each machine, each of which speaks to the same number's of other machines for a share of the bytes: more cores copy,
// combine and send at once (DPML, Bayatpour et al. 2017; PiP-MColl, Huang et al. 2023). Each share is a collective of its own, and
// the plan of a rank is what it does in all of them, side by side. A machine with fewer ranks than leaders has ranks that speak for
// several shares.
//
// Of what rounds, the order in which it is combined is that of one leader where an algorithm keeps the order of the ranks. Where
// it combines part by part (ring, recursive-halving), parts are cut from the shares: so the number of leaders is not chosen there.

/// The shares of `t`, which must live as long; one at a time, so that what they have in common is copied once.
class leader_shares {
public:
    explicit leader_shares(collective_terms const& t);

    /// The most leaders that can share the work: as many as a machine has ranks, and each gets something. 1, if no machine has two.
    [[nodiscard]] int most(algorithm const& a);
    /// The terms of share number `speaker` of `leaders`. They live until the next call.
    [[nodiscard]] collective_terms const& of(int leaders, int speaker);
    /// Where it begins.
    [[nodiscard]] std::int64_t begin_of(int leaders, int speaker) const noexcept { return whole_.cut(speaker, leaders); }
    /// As algorithm::cost, by so many leaders.
    [[nodiscard]] expense cost(algorithm const& a, int leaders, distance apart);

private:
    collective_terms const& whole_;
    int widest_ = 1;
    std::optional<collective_terms> share_;
};

/// As algorithm::build, by `t.leaders`.
[[nodiscard]] plan build_by_leaders(algorithm const& a, collective_terms const& t, int rank);

} // namespace sode::internal
