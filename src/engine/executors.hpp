// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/schedule.hpp"

#include <string>

namespace sode::internal {

/// Why an engine cannot run the plan that has the caller's executor and `count` of another kind: the first stream that is for an
/// executor that it does not have. Empty if there is none.
[[nodiscard]] std::string lacks_executor(schedule const& p, executor_kind kind = executor_kind::caller, std::uint32_t count = 1);

} // namespace sode::internal
