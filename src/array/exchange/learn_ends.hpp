// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/exchange/exchange_spec.hpp"
#include "array/exchange/matched_ends.hpp"
#include "engine/context.hpp"

#include <sode/error.hpp>

#include <memory>
#include <optional>

namespace sode::internal {

/// Collective. Fills in what this rank must know of the others' ends: those of its own messages, after all ranks have found that
/// sends and receives belong together. `wants_all`: the ends of all ranks, if any rank wants them. Returns the messages of `spec`.
/// Errors: on all ranks alike, the `trouble` of the first rank that has some; usage, for ends that do not belong together.
/// Cost: two meetings, and what this rank and its peers tell each other.
[[nodiscard]] std::unique_ptr<matched_ends const> learn_ends(exchange_spec& spec, context const& c, rank_ends const& mine,
                                                             std::optional<error> const& trouble, bool wants_all);

} // namespace sode::internal
