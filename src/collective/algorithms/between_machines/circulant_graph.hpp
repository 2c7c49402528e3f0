// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sode::internal {

/// Numbers 0 to all - 1, of which each sends to the one skip(k) further on in round k, around the ring, and hears of the one as far
/// behind. The skips are all halved again and again, rounded up: so there are as few rounds as can be, for any number of them.
///
/// Number 0 broadcasts n blocks in n - 1 + rounds() rounds, the fewest that there can be: in each of them a number gets a block
/// that it has not, and sends one that it has. Who gets which block when, each can work out for itself, and for any other one.
/// Source: Träff, "Round-optimal n-block broadcast schedules in logarithmic time", arXiv 2312.11236 (2023).
class circulant_graph {
public:
    /// \param all  2 or more
    explicit circulant_graph(int all);

    [[nodiscard]] int all() const noexcept { return skips_.back(); }
    [[nodiscard]] int rounds() const noexcept { return static_cast<int>(skips_.size()) - 1; }
    /// 1 of k = 0, and `all` of k = rounds().
    [[nodiscard]] int skip(int k) const noexcept { return skips_[static_cast<std::size_t>(k)]; }

    struct step {
        int round;
        int other;
        int block;
    };
    /// What v gets when number 0 broadcasts: each block once, round by round. Cost: O(blocks + rounds()).
    [[nodiscard]] std::vector<step> arrivals(int v, int blocks) const;
    /// What v sends, likewise. Cost: rounds() times as much.
    [[nodiscard]] std::vector<step> departures(int v, int blocks) const;

private:
    class search;
    [[nodiscard]] std::vector<int> phase(int v) const;

    std::vector<int> skips_;
};

} // namespace sode::internal
