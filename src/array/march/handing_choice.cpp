// SPDX-License-Identifier: Apache-2.0
#include "array/march/handing_choice.hpp"

#include <algorithm>

namespace sode::internal {

handing_costs weigh(handing_load const& load, pair_costs const& between) noexcept {
    auto const steps = static_cast<double>(load.rows.steps), reach = static_cast<double>(load.rows.reach);
    auto const row_ns = load.step_ns > 0 ? load.step_ns / static_cast<double>(load.block_rows)
                                         : static_cast<double>(load.point_bytes) * between.stage_byte;
    auto const copied_ns = static_cast<double>(load.changing_bytes) * between.stream_byte;

    // Step s computes (steps - s) times the reach on each side; both halves have a halo of all steps.
    auto const more_rows = load.sides * reach * steps * (steps - 1) / 2;
    auto const fetched = 2.0 * load.sides * reach * steps;

    // Both halves before a pass, the last two levels after it. A level is packed and unpacked: by two ranks, each of which does
    // both where it has two neighbours.
    auto const above = static_cast<double>(load.rows.above());
    auto const once = 2.0 * static_cast<double>(load.rows.needed()) + above + std::max(above - reach, 0.0);
    auto const levels = (steps - 1) * static_cast<double>(load.rows.handed()) * load.sides;
    auto const exchange = between.flag + load.start_ns;
    return {.twice = more_rows * row_ns + fetched * copied_ns + exchange,
            .handed = (once + levels) * copied_ns + (steps + 1) * exchange};
}

} // namespace sode::internal
