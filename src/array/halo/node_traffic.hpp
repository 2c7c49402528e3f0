// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_edges.hpp"

#include <vector>

namespace sode {

/// All that passes between the node of one rank and each other node in one exchange, and which of it travels together: as one
/// message a pair of nodes instead of one a pair of ranks. Ranks of a node work out the same, and so do the two nodes of a pair.
class node_traffic {
public:
    node_traffic(halo_spec const& spec, halo_edges const& edges, int rank);

    struct flow {
        int from = 0; ///< nodes
        int to = 0;
        int sender = 0; ///< the ranks that own the message: spread over the nodes' ranks
        int receiver = 0;
        std::vector<halo_edges::item> items; ///< by source, target and slot; stage_offset is the place in the message
        std::int64_t bytes = 0;              ///< of the message: each pair of ranks begins on a cache line of its own
        std::vector<int> packers{};          ///< ranks that have something in it, ascending
        std::vector<int> readers{};          ///< ranks for whom something is in it
        std::int64_t place = 0;              ///< bytes from the owner's block (of stages); this node's end
        std::uint32_t line = 0;              ///< the first of its counters at the owner: one, and one for each packer or reader
    };
    /// Flows that travel together, by the other node.
    [[nodiscard]] std::vector<flow> const& out() const noexcept { return out_; }
    [[nodiscard]] std::vector<flow> const& in() const noexcept { return in_; }
    /// The flow of an edge, or null if the edge is no part of one.
    [[nodiscard]] flow const* of(halo_edges::item const& i) const noexcept;

    /// What this rank, or another one of the node, must host for its flows.
    struct share {
        std::uint32_t lines = 0;
        std::int64_t stage_bytes = 0; ///< both instances
    };
    [[nodiscard]] share of_owner(int rank) const;

private:
    void add(std::vector<flow>& list, halo_edges::item const& i);
    void finish(std::vector<flow>& list, bool leaving);

    halo_spec const& spec_;
    std::vector<int> ranks_; ///< of this node
    std::vector<flow> out_, in_;
    std::vector<share> shares_;            ///< by place in ranks_
    std::vector<std::int64_t> own_stages_; ///< bytes that the ranks of this node have for other stages
};

} // namespace sode
