// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tune/checks.hpp"
#include "tune/datatype_estimate.hpp"
#include "tune/estimate.hpp"
#include "tune/turns.hpp"
#include "tune/workplace.hpp"

namespace sode::internal::tools {

/// One block of measurements between two ranks, all but the round trip; both call it. Each rank knows the times of what it did
/// itself, the others are 0: the block is the sum of the two. A few milliseconds.
[[nodiscard]] pair_times measure_pair(int rank, workplace const& here, turns& turn);

/// One block of what messages of derived datatypes consist of, as measure_pair() does it. Some ten milliseconds.
[[nodiscard]] copy_times measure_copies(int rank, distance apart, workplace const& here, turns& turn);

/// One block of the patterns by which the constants are checked, each in all of its ways. Some ten milliseconds.
[[nodiscard]] check_times measure_checks(int rank, distance apart, workplace const& here, turns& turn);

/// One block on one core alone, some 20 ms.
[[nodiscard]] local_times measure_local(workplace const& here);

} // namespace sode::internal::tools
