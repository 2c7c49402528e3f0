// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/block_faces.hpp"
#include "model/makespan.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sode::internal {

/// What a point of a step costs on the machine where its block is worked on, nanoseconds.
struct point_times {
    double single = 0; ///< one step in a pass over memory
    double cached = 0; ///< what is left of that where the elements come from the cache; at most `single`

    /// Of a pass of so many steps. A single step moves three words of memory (read, allocate, write), a pass of several moves four.
    [[nodiscard]] double of(std::int64_t steps) const noexcept {
        return steps <= 1 ? single : cached + 4.0 / 3 * (single - cached) / static_cast<double>(steps);
    }
};

/// A march that takes so many steps at a time, as it should go on machines that are not here. All of one step, on average.
struct tile_forecast {
    std::int64_t steps = 1;
    double messages = 0; ///< that the machine with most of them sends
    double bytes = 0;    ///< the same
    double points = 0;   ///< that the machine with most of them computes, those of its neighbours included
    double computing_us = 0;
    double exchange_us = 0;

    [[nodiscard]] double step_us() const noexcept { return computing_us + exchange_us; }
};

/// What travels between the machines before so many steps. Before one it is edges_of(); before several, boxes of both halves of a
/// field, so many times as wide, from diagonal neighbours too, which take the network of their face in the first dimension.
[[nodiscard]] std::vector<network_edge> edges_before(block_grid const& g, std::int64_t steps);

/// As many steps at a time as the smallest block allows, if its shadow is wide enough.
[[nodiscard]] std::int64_t most_steps(block_grid const& g) noexcept;

/// Pure; cost: O(blocks 3^dims log blocks). Each exchange by the best assignment of networks to faces.
[[nodiscard]] tile_forecast forecast_tiles(block_grid const& g, std::int64_t steps, point_times const& point,
                                           std::span<network const> networks);

} // namespace sode::internal
