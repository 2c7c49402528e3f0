// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/distance.hpp"
#include "model/probe.hpp"

namespace sode::internal {

/// A measurement as a choice: above half way between near and far, a pair counts as far; what is unknown counts as near.
inline constexpr double half_way_ns = (near_below_ns + far_above_ns) / 2;
[[nodiscard]] constexpr distance class_of(pair_distance const& d) noexcept {
    return d.kind != pair_distance::regime::unknown && d.round_trip_ns > half_way_ns ? distance::far : distance::near;
}

/// The class of two ranks; a pair that was not measured is like the farthest that was.
[[nodiscard]] inline distance between(distance_table const& table, int a, int b) noexcept {
    auto const d = table.of(a, b);
    if (d.kind != pair_distance::regime::unknown) return class_of(d);
    return table.farthest_ns() > half_way_ns ? distance::far : distance::near;
}

} // namespace sode::internal
