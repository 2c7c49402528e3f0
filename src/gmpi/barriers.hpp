// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/peers.hpp"

#include <array>
#include <deque>

namespace sode::internal::kernels {

/// Barriers that kernels ask for, one after the other, by dissemination: in round k a rank tells the one 2^k behind it. (Hensgen,
/// Finkel, Manber, 1988)
class barriers {
public:
    barriers(peers& ranks, int rank, goal_keeper& tells) : ranks_(ranks), rank_(rank), tells_(tells) {}

    void enter(goal const& whose);
    bool read(frame const& f);
    void give_up(code why);
    [[nodiscard]] bool idle() const noexcept { return waiting_.empty(); }

private:
    void tell() {
        ranks_[(rank_ + (1 << round_)) % ranks_.size()].leaving.add({.said = {.kind = frame_kind::barrier, .tag = round_}});
    }
    void go();

    peers& ranks_;
    int rank_;
    goal_keeper& tells_;
    std::deque<goal> waiting_; // the first one is under way
    std::uint64_t entered_ = 0;
    std::uint32_t round_ = 0;
    std::array<std::uint64_t, 32> heard_{}; // in each round, so far
    code broken_ = code::ok;
};

} // namespace sode::internal::kernels
