// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/distance.hpp"
#include "model/probe.hpp"

#include <algorithm>

namespace sode {

/// A measurement as a choice: above 215 ns, half way between the two, a pair counts as far; what is unknown counts as near.
[[nodiscard]] constexpr distance class_of(pair_distance const& d) noexcept {
    constexpr double half_way_ns = 215;
    return d.kind != pair_distance::regime::unknown && d.round_trip_ns > half_way_ns ? distance::far : distance::near;
}

/// The class of two ranks; a pair that was not measured is like the farthest that was.
[[nodiscard]] inline distance between(distance_table const& table, int a, int b) noexcept {
    auto const d = table.of(a, b);
    if (d.kind != pair_distance::regime::unknown) return class_of(d);
    auto const& all = table.pairs();
    bool const some_far = std::any_of(all.begin(), all.end(), [](auto const& p) { return class_of(p.distance) == distance::far; });
    return some_far ? distance::far : distance::near;
}

} // namespace sode
