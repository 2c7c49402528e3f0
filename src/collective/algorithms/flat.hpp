// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/collective_terms.hpp"

namespace sode::internal {

/// Where a rank shows the others what it gives.
enum class shown_in : std::uint8_t {
    line,  ///< behind its flag, in the flag's own cache line
    stage, ///< in a copy
    array  ///< where it is
};

/// Everybody shows what it gives, everybody takes what it gets of it: one step deep, and as many reads as there are takers.
///
/// What is shown in lines and stages is shown in two instances, in turn. A rank must not show before the takers have let go of the
/// epoch before last: where everybody hears of everybody, that is proven by what is heard; else takers say so. What is shown where
/// it is must not change before all takers have said so.
[[nodiscard]] plan build_flat(collective_terms const& t, int rank, shown_in where);

} // namespace sode::internal
