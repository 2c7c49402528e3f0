// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/proof/origin.hpp"
#include "plan/proof/report.hpp"

namespace sode::internal::proof {

/// A source may be as many epochs ahead as a buffer has slots, and verify tells so many epochs apart, and one more.
inline constexpr std::uint32_t most_slots = (1U << origin::epoch_bits) - 2;

/// What can be told without running anything. Each check relies on those before it having found nothing.
void check_identity(std::span<plan const> plans, std::span<std::vector<array_model> const> arrays, report& findings);
void check_counters(job const& all, report& findings);
void check_buffers(job const& all, report& findings);
void check_programs(job const& all, report& findings);
void check_streams(job const& all, report& findings);
/// Streams are for executors that there can be, and that can do what is in them.
void check_executors(job const& all, report& findings);
void check_bounds(job const& all, report& findings);
/// Executors touch memory of such kinds only as they can.
void check_kinds(job const& all, report& findings);
/// Each put and its landing say the same.
void check_puts(job const& all, report& findings);
/// Messages are sent to `descriptor::peer`: it must have a part in what the descriptor does.
void check_peers(job const& all, report& findings);
/// Nothing is loaded or stored that is on another machine, or that its owner keeps to itself.
void check_reach(job const& all, report& findings);

} // namespace sode::internal::proof
