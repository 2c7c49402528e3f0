// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/way.hpp"

namespace sode::internal {

/// The cheapest way that is offered for the edge, or `forced`, or what that names instead where it cannot carry the edge. Pure.
[[nodiscard]] choice choose(edge_features const& e, profile const& p, way const* forced) noexcept;

/// Does one message for `pairs` pairs of ranks, of that many bytes together, cost less than one for each? It saves the time that
/// the processors spend for each message, and costs two hand-overs within the machines; from half the eager limit on transports
/// move long messages in other ways, and one is no better than several. `pretended`: both machines are one, where it never wins
/// (research on halos, section 6).
[[nodiscard]] bool pays_together(int pairs, std::int64_t bytes, profile const& p, bool pretended) noexcept;

} // namespace sode::internal
