// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>

namespace sode {

/// What this rank shares its node with.
struct node_share {
    int ranks = 1;      ///< ranks of the job on this node, this one included
    int processors = 1; ///< processors that these ranks may use, all together
};

/// Collective. Gathers where each rank may run. Errors: those of allgather.
[[nodiscard]] node_share find_node_share(bootstrap& boot);

} // namespace sode
