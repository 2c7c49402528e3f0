// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/edge.hpp"

namespace sode::internal {

/// The steps that most ways are made of.
///
/// Edges that touch the same array with short rows of the same shape are fused in pairs, unless they combine: the low and the high
/// face of a strided dimension lie in the same cache lines (periodic 64^3: 8.2 -> 6.0 us).

/// Collects edges into their places in `target`, which begins at place `first`.
void gather(plan_builder& b, std::uint32_t stream, edge_span edges, buffer const& target, std::int64_t first = 0);
/// What was collected goes where the edges say, or is combined with what is there. `peer`: whose memory it is read from; -1: nobody
/// else's.
void scatter(plan_builder& b, std::uint32_t stream, edge_span edges, buffer const& source, int peer, std::int64_t first = 0);
/// Out of the source's array, which is this rank's or can be loaded from here.
void fetch(plan_builder& b, std::uint32_t stream, edge_span edges);

/// Into the target's array, which is this rank's or can be stored into from here. Edges do not combine.
void store(plan_builder& b, std::uint32_t stream, edge_span edges);

} // namespace sode::internal
