// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/edge.hpp"

#include <span>

namespace sode::direct {

/// At the target: copies the box out of the source's memory (paper P4, section 3). The stream must already have waited for the
/// source's ready flag. Rows of 48 bytes and more move at the speed of memcpy this way; shorter ones pay a cache miss each.
void emit_pull(plan_builder& b, std::uint16_t stream, edge const& e);

/// Copies within one rank (periodic neighbours that are oneself). Low and high twins of a strided dimension are fused row by row.
void emit_self(plan_builder& b, std::uint16_t stream, std::span<edge const> edges);

} // namespace sode::direct
