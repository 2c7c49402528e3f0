// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/edge.hpp"

#include <span>

namespace sode::direct {

/// Edges of one pair of ranks that are so small (48 bytes together) that they travel in the cache line of their own flag: one line
/// moves instead of two, and the source's array is free at once. The flag (edge::flag) has two instances, used in turn.

/// At the source: fills the line, then raises the flag.
void emit_put(plan_builder& b, std::uint16_t stream, std::span<edge const> edges);
/// At the target, all from one source: waits for the flag, then empties the line.
void emit_get(plan_builder& b, std::uint16_t stream, std::span<edge const> edges);

} // namespace sode::direct
