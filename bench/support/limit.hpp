// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/clock.hpp"
#include "support/control.hpp"

namespace sode::internal::bench {

/// What the names of limits begin with. A limit moves the same bytes by bare loops, without a word of who may read what when: no
/// exchange can be faster than the best of them, but for better loops.
inline constexpr char const* limit_prefix = "limit:";

/// Calls phase(0) … phase(phases - 1). After each, all ranks meet, which says what an exchange says by its flags; only the loops
/// are timed. Microseconds of this rank. Collective.
template <class Phase> [[nodiscard]] double timed_phases(tick_rate const& rate, control& shared, int phases, Phase phase) {
    double us = 0;
    for (int p = 0; p < phases; ++p) {
        std::uint64_t const begin = ticks();
        phase(p);
        us += rate.us(begin, ticks());
        shared.barrier();
    }
    return us;
}

} // namespace sode::internal::bench
