// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "channel/edge.hpp"

#include <span>

namespace sode::reference {

/// The exchange as anybody would write it first: everybody says that its arrays are ready, waits for everybody, copies its boxes
/// byte by byte, says that it is done, and waits for everybody again. Every other channel is compared with this one.
///
/// `edges` are those whose target is the plan's rank. Lines used at each rank: `first_line` and the next.
void emit(plan_builder& b, std::span<edge const> edges, std::uint32_t first_line);

/// One of its two barriers: raises the flag at `line` of this rank, and waits for that of everybody else.
void everybody(plan_builder& b, std::uint16_t stream, std::uint32_t line);

} // namespace sode::reference
