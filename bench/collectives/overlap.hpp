// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collectives/collective.hpp"
#include "support/report.hpp"

namespace sode::internal::bench {

/// How much of a collective is hidden behind work that is done between start and wait, and takes about as long as it does by
/// itself: "overlap_compute" (in registers) and "overlap_memory" (through more memory than caches hold), each from 0, nothing,
/// to 1. Nobody calls test() meanwhile. Who can hide something needs a processor that no rank works on. Wrong elements are added to
/// `wrong`. Collective.
[[nodiscard]] sample_parts measured_overlap(collective_subject& s, tick_rate const& rate, control& shared, long& wrong);

} // namespace sode::internal::bench
