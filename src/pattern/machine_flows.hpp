// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "pattern/edge_set.hpp"

#include <tuple>
#include <vector>

namespace sode::internal {

/// All that passes between the machine of one rank and each other machine in one exchange, and which of it travels together: as one
/// message a pair of machines instead of one a pair of ranks. Ranks of a machine work out the same, and so do the two machines of a
/// pair.
class machine_flows {
public:
    /// None, where all ranks share memory, or the style of `edges` has no such messages.
    machine_flows(edge_set const& edges, int rank);

    struct flow {
        int from = 0; ///< machines
        int to = 0;
        int sender = 0; ///< the ranks that own the message: spread over the machines' ranks
        int receiver = 0;
        struct piece { ///< an edge
            int source;
            int target;
            int number; ///< among those of its pair, in their order
            std::int64_t bytes;
            std::int64_t place = 0; ///< in the message
            [[nodiscard]] auto key() const noexcept { return std::tuple{source, target, number}; }
        };
        std::vector<piece> pieces;  ///< by key
        std::int64_t bytes = 0;     ///< of the message: each pair of ranks begins on a cache line of its own
        std::vector<int> packers{}; ///< ranks that have something in it, ascending
        std::vector<int> readers{}; ///< ranks for whom something is in it
        std::int64_t place = 0;     ///< bytes from the owner's block (of stages); this machine's end
        std::uint32_t line = 0;     ///< the first of its counters at the owner: one, and one for each packer or reader
    };
    /// Flows that travel together, by the other machine.
    [[nodiscard]] std::vector<flow> const& out() const noexcept { return out_; }
    [[nodiscard]] std::vector<flow> const& in() const noexcept { return in_; }
    /// The one that the edge is part of; null: of none.
    [[nodiscard]] flow const* with(edge const& e) const noexcept;
    /// Where it lies in that; `number`: how many edges of its pair are before it.
    [[nodiscard]] static std::int64_t place_of(edge const& e, int number, flow const& f) noexcept;

    /// What this rank, or another one of the machine, must host for its flows.
    struct share {
        std::uint32_t lines = 0;
        std::int64_t stage_bytes = 0; ///< both instances
    };
    [[nodiscard]] share of_owner(int rank) const;

private:
    void add(std::vector<flow>& list, edge const& e);
    void finish(std::vector<flow>& list, bool leaving);

    exchange_terms const& terms_;
    int here_; ///< the machine
    std::vector<flow> out_, in_;
    std::vector<share> shares_;            ///< by place on this machine
    std::vector<std::int64_t> own_stages_; ///< bytes that the ranks of this machine have for other stages
};

} // namespace sode::internal
