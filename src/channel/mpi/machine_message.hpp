// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/edge.hpp"

namespace sode::internal::mpi {

/// One message from one machine to another for all edges between them: every rank packs its own into memory of its machine, one
/// rank sends them, one rank of the other machine receives them into memory of that one, from which every rank unpacks its own.
/// Messages grow with pairs of machines, not of ranks (over TCP up to 2.2 times as fast as four messages, while it stays small;
/// research on halos, section 6).
///
/// Both stages have two instances, used in turn.
struct machine_message {
    int sender = 0;
    int receiver = 0;
    std::int64_t bytes = 0;
    buffer stage;              ///< at the sender, or at the receiver: that of this machine
    counter over;              ///< flag of its owner: the message is over
    std::vector<counter> done; ///< a flag of each rank that packs, or unpacks: it has. No sum: some may be an epoch ahead of others
    edge_list mine;            ///< what this rank has in it; each edge's place is that in the message
};

} // namespace sode::internal::mpi
