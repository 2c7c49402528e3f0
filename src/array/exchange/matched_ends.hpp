// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/exchange/exchange_spec.hpp"
#include "pattern/edge_set.hpp"

#include <map>
#include <vector>

namespace sode {

/// The messages of an exchange: sends with their receives.
class matched_ends final : public edge_set {
public:
    /// Errors: usage, for ends that do not belong together. `spec` must outlive it. Cost: O(ends of all ranks).
    explicit matched_ends(exchange_spec const& spec);

    void from(int rank, outgoing& result) const override;
    [[nodiscard]] std::vector<int> sources(int rank) const override { return sources_[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] int slots() const noexcept override { return spec_.ranks; }
    [[nodiscard]] bool all_shared() const override;

private:
    struct message {
        int target;
        known_end const* out;
        known_end const* in;
    };
    [[nodiscard]] rank_ends::region const& region_of(int rank, known_end const& e) const {
        return spec_.all[static_cast<std::size_t>(rank)].regions[e.region];
    }
    [[nodiscard]] buffer memory_of(int rank, known_end const& e) const;

    exchange_spec const& spec_;
    std::vector<std::vector<message>> messages_; ///< by source, then by target
    std::vector<std::vector<int>> sources_;      ///< by target
    mutable std::map<int, outgoing> known_;      ///< what was asked for before
};

} // namespace sode
