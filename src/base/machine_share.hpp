// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/processors.hpp"

#include <sode/bootstrap.hpp>

namespace sode::internal {

/// What this rank shares its machine with.
struct machine_share {
    int ranks = 1;      ///< ranks of the job on this machine, this one included
    int processors = 1; ///< processors that these ranks may use, all together
    processor_set used; ///< which those are, where no quota leaves them less time
};

/// Collective. Gathers where each rank may run. Errors: those of allgather.
[[nodiscard]] machine_share find_machine_share(bootstrap& boot);

} // namespace sode::internal
