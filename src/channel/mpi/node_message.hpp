// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/edge.hpp"

#include <span>
#include <vector>

namespace sode::mpi {

/// One message from one node to another for all edges between them: every rank packs its own into memory of its node, one rank
/// sends them, one rank of the other node receives them into memory of that node, from which every rank unpacks its own. Messages
/// grow with pairs of nodes, not of ranks (over TCP up to 2.2 times as fast as four messages, while it stays small; research on
/// halos, section 6).
///
/// Both stages have two instances, used in turn.
struct node_message {
    int sender = 0;
    int receiver = 0;
    std::int64_t bytes = 0;
    buffer stage;              ///< at the sender, or at the receiver: that of this node
    counter over;              ///< flag of its owner: the message is over
    std::vector<counter> done; ///< a flag of each rank that packs, or unpacks: it has. No sum: some may be an epoch ahead of others
};

/// At a rank that has edges in the message; edge::stage_offset is the place of each in it.
void emit_pack(plan_builder& b, std::uint16_t stream, node_message const& m, std::span<edge const> edges);
void emit_unpack(plan_builder& b, std::uint16_t stream, node_message const& m, std::span<edge const> edges);
/// At the sender and at the receiver, in streams of their own.
void emit_send(plan_builder& b, node_message const& m);
void emit_receive(plan_builder& b, node_message const& m);

} // namespace sode::mpi
