// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collectives/collective.hpp"
#include "support/control.hpp"
#include "support/report.hpp"

namespace sode::internal::bench {

/// What the four parts of a collective take, each the median of some rounds on the slowest rank; what is given changes before each
/// round. And each of many that follow each other without a pause (row_us). Wrong elements are added to `wrong`. Collective.
[[nodiscard]] sample_parts measured_steps(collective_subject& s, tick_rate const& rate, control& shared, long& wrong);

} // namespace sode::internal::bench
