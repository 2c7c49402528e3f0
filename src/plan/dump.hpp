// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/plan.hpp"

#include <span>

namespace sode::internal {

enum class dump_format { text, json, dot, goal };
/// "text", "json", "dot" or "goal". Errors: usage, for anything else.
[[nodiscard]] dump_format dump_format_of(std::string_view name);

/// The plan for eyes and tools. `dot` draws streams as columns and counters as arrows between the plans given. `goal` is what
/// LogGOPSim reads: the messages of one epoch and what they wait for; whole only of all ranks together.
[[nodiscard]] std::string dump(plan const& p, dump_format format = dump_format::text);
[[nodiscard]] std::string dump(std::span<plan const> plans, dump_format format);

/// One line per edge: what was chosen, what it should cost, and what the runner-up would have cost. `memory`: the space in which it
/// runs, if that is known.
[[nodiscard]] std::string explain(plan const& p, std::string_view memory = {});

} // namespace sode::internal
