// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "datatypes/pattern.hpp"
#include "support/clock.hpp"

namespace sode::internal::bench {

/// What the first message of a pair of datatypes costs the layer beyond the message, step by step; microseconds.
struct first_use {
    double build = 0;   ///< MPI's part: making the two datatypes
    double read = 0;    ///< both datatypes become layouts,
    double know = 0;    ///< whose extents and lines are counted;
    double compile = 0; ///< the copy between them,
    double cut = 0;     ///< in pieces for two processors
    long blocks = 0;    ///< of the layout that has more

    [[nodiscard]] double all() const { return read + know + compile + cut; }
};

/// Medians of `turns` first uses, each of datatypes that MPI has just made.
[[nodiscard]] first_use first_use_of(pattern const& p, tick_rate const& rate, int turns);

} // namespace sode::internal::bench
