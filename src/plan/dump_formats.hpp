// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/plan.hpp"

#include <span>
#include <string>

namespace sode::internal {

[[nodiscard]] std::string dump_text(plan const& p);
[[nodiscard]] std::string dump_json(plan const& p); ///< one object
[[nodiscard]] std::string dump_dot(std::span<plan const> plans);
/// GOAL, for LogGOPSim: one epoch of these ranks.
[[nodiscard]] std::string dump_goal(std::span<plan const> plans);

} // namespace sode::internal
