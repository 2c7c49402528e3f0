// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"

#include <sode/bootstrap.hpp>

namespace sode::internal {

/// Collective. Which machine each rank is on. Where that takes a table, there is one for all ranks of a machine: the first of them
/// writes it, the others read it there, and nobody can write it any more. A process keeps nothing of its own for each rank.
/// Errors: environment; those of bootstrap::machines.
[[nodiscard]] machine_map shared_machines(bootstrap& boot);

} // namespace sode::internal
