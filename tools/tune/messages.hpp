// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tune/estimate.hpp"

#include <sode/bootstrap.hpp>

#include <vector>

namespace sode::internal::tools {

/// Whom rank 0 sends to: the first rank of another machine than its own; else the last one.
[[nodiscard]] int partner_of(std::vector<int> const& machines);

/// Collective: measures messages between rank 0 and `partner`, for so many seconds at most. Rank 0 gets the blocks, one at least.
/// Errors: peer; timeout.
[[nodiscard]] std::vector<message_costs> measure_messages(bootstrap& boot, int partner, double seconds);

} // namespace sode::internal::tools
