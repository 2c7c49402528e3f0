// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/exchange/exchange_spec.hpp"
#include "pattern/edge_set.hpp"

#include <map>
#include <vector>

namespace sode::internal {

/// The messages of an exchange, as far as they are known: sends with their receives.
class matched_ends final : public edge_set {
public:
    /// Errors: usage, for ends that do not belong together. `spec` must outlive it. Cost: O(known ends).
    explicit matched_ends(exchange_spec const& spec);

    /// Of a peer of which not all ends are known: what it gives to this rank, and, as far as it was told, to other machines.
    void from(int rank, outgoing& result) const override;
    void into(int rank, std::vector<edge>& result) const override;
    void locate(edge& e) const override;
    [[nodiscard]] std::vector<int> sources(int rank) const override;
    [[nodiscard]] std::vector<int> targets(int rank) const override;
    [[nodiscard]] int slots(int rank) const override;
    [[nodiscard]] bool all_shared() const override;

private:
    struct message {
        int target;
        known_end const* out;
        known_end const* in;
    };
    [[nodiscard]] rank_ends::region const& region_of(int rank, known_end const& e) const {
        return spec_.ends.at(rank).regions[e.region];
    }
    [[nodiscard]] buffer memory_of(int rank, known_end const& e) const;

    exchange_spec const& spec_;
    std::map<int, std::vector<message>> messages_; ///< by source, then by target
    std::map<int, std::vector<int>> sources_;      ///< by target
    mutable std::map<int, outgoing> known_;        ///< what was asked for before
};

} // namespace sode::internal
