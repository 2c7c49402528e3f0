// SPDX-License-Identifier: Apache-2.0
#include "plan_tiles.hpp"

#include "model/tile_forecast.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal::tools {

void check(tile_options const& o, double point) {
    if (point <= 0)
        throw error{error_kind::usage, "--tiles needs the time of one point",
                    "the time of one point cannot be derived from the networks",
                    "measure this time on one machine, and pass --point NANOSECONDS"};
    if (o.cached > point)
        throw error{error_kind::usage, fmt::format("--cached-point {:g} is too large", o.cached),
                    fmt::format("a point in memory takes {:g} ns, and a point in the cache cannot take longer", point),
                    "pass a smaller number, or omit the option"};
}

void print_tiles(tile_options const& o, double point, block_grid const& g, std::vector<network> const& list) {
    point_times const times{point, o.cached > 0 ? o.cached : point};
    std::vector<tile_forecast> all;
    auto const room = most_steps(g), most = std::min(o.most, room);
    for (std::int64_t k = 1; k < most; k *= 2) all.push_back(forecast_tiles(g, k, times, list));
    all.push_back(forecast_tiles(g, most, times, list));
    auto const& best = *std::ranges::min_element(all, {}, &tile_forecast::step_us);

    fmt::print("\ntime steps per exchange (march): a point takes {:g} ns from memory, {:g} ns from the cache\n", times.single,
               times.cached);
    fmt::print("  {:>5}  {:>8}  {:>9}  {:>10}  {:>12}  {:>11}  {:>10}  {:>8}\n", "steps", "messages", "KiB", "points",
               "computing us", "exchange us", "step us", "speed-up");
    for (auto const& f : all)
        fmt::print("  {:>5}  {:>8.3g}  {:>9.1f}  {:>10.0f}  {:>12.1f}  {:>11.1f}  {:>10.1f}  {:>8.2f}{}\n", f.steps, f.messages,
                   f.bytes / 1024, f.points, f.computing_us, f.exchange_us, f.step_us(), all.front().step_us() / f.step_us(),
                   &f == &best ? "  (best)" : "");
    fmt::print("  points include points near a border, which two machines compute; ranks on one machine may exchange these points "
               "instead\n");
    if (most < o.most) fmt::print("  the smallest block has room for the halo of at most {} time steps\n", room);
}

} // namespace sode::internal::tools
