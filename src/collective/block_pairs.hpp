// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/block_terms.hpp"
#include "pattern/edge_set.hpp"

#include <vector>

namespace sode::internal {

/// Equal blocks of all ranks by a message for each pair of them, as an exchange has them, or by one for each pair of machines:
/// what Bruck's algorithm is held against. What a rank gives lies in its array 0, what it gets in array 1, in the order of ranks.
class block_pairs final : public edge_set {
public:
    /// `t` outlives it. Its `blocks` do not count. `together`: one message may carry what goes from one machine to another.
    block_pairs(block_terms const& t, bool together);

    void from(int rank, outgoing& result) const override;
    void locate(edge& e) const override;
    [[nodiscard]] std::vector<int> sources(int rank) const override;
    [[nodiscard]] int slots(int rank) const override;
    [[nodiscard]] bool all_shared() const override { return false; }

private:
    block_terms const& terms_;
    mutable std::vector<outgoing> known_; ///< what was asked for before, by rank
};

/// The part of one rank. Cost: O(ranks), and, of the first one, O(ranks^2).
[[nodiscard]] plan plan_pairs(block_pairs const& pairs, int rank);
/// Where the blocks of that rank lie in its two arrays.
[[nodiscard]] blocks_of_rank blocks_in_order(block_terms const& t, int rank);

} // namespace sode::internal
