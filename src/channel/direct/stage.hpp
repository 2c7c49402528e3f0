// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/edge.hpp"

#include <span>

namespace sode::direct {

/// Staged edges. `stage_bytes` is the size of one instance of the source's stage.
///
/// Element-wise access to a line that a far core owns costs its latency; a wide copy gets the prefetcher. So with
/// method::stage_wide both sides go through a private buffer and only the wide copy crosses (research: 1.6-3 times faster far, up
/// to 25 % slower near). Which of the two copies a side makes is its own affair: the bytes in the stage are the same.
///
/// Edges of one call that have the same shape are fused in pairs: the low and high face of a strided dimension lie in the same
/// cache lines.

/// At the source. Its ready flag must follow in the same stream.
void emit_pack(plan_builder& b, std::uint16_t stream, std::span<edge const> edges, std::int64_t stage_bytes);
/// At the target, all from one source. The stream must already have waited for the source's ready flag.
void emit_unpack(plan_builder& b, std::uint16_t stream, std::span<edge const> edges, std::int64_t stage_bytes);

} // namespace sode::direct
