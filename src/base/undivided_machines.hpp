// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>

#include <vector>

namespace sode::internal {

/// bootstrap::machines(), without those that pretend to be some (SODE_MACHINE_SIZE). Collective.
[[nodiscard]] std::vector<int> undivided_machines(bootstrap& all);

} // namespace sode::internal
