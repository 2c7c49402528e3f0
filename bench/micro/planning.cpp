// SPDX-License-Identifier: Apache-2.0
// How long a rank of a large job takes to plan a periodic 3-d exchange with all 26 neighbours: the plan alone, built in this
// process for jobs of 1,000 to 100,000 ranks on machines of 8.
#include "array/halo/halo_plan.hpp"
#include "support/clock.hpp"
#include "support/statistics.hpp"

#include <sode/sode.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace {

using namespace sode::internal::bench;

struct job {
    std::array<int, 3> nodes;
    std::vector<int> machine_of; ///< blocks of 2 x 2 x 2 nodes
    sode::geometry shape;

    explicit job(std::array<int, 3> const& n, bool in_blocks) : nodes(n) {
        int const ranks = n[0] * n[1] * n[2];
        for (int r = 0; r < ranks; ++r) {
            int const i = r / (n[1] * n[2]), j = r / n[2] % n[1], k = r % n[2];
            machine_of.push_back(in_blocks ? (i / 2 * (n[1] / 2) + j / 2) * (n[2] / 2) + k / 2 : r / 8);
        }
        sode::detail::place const where{0, machine_of};
        sode::nodes<3> const p{where, {n[0], n[1], n[2]}};
        auto const map =
            sode::distribution<3>{p, {64 * n[0], 64 * n[1], 64 * n[2]}, {sode::block, sode::block, sode::block}}.mapping();
        shape.dims = 3;
        shape.axes = map.axes;
        shape.grid = map.grid;
        shape.element_bytes = 8;
        shape.name = "u";
        for (std::size_t d = 0; d < 3; ++d) shape.axes[d].shadow_lower = shape.axes[d].shadow_upper = 1;
    }
    [[nodiscard]] sode::internal::halo_spec spec(bool pairs) const {
        sode::internal::halo_spec s;
        s.name = "halo of \"u\"";
        s.fields.push_back({.shape = &shape, .lower = {1, 1, 1}, .upper = {1, 1, 1}});
        s.corners = true;
        s.periodic.fill(true);
        s.machines = machine_of;
        s.pretended = pairs;
        return s;
    }
};

void measure(job const& j, char const* name, bool pairs, int turns) {
    tick_rate const rate;
    auto const spec = j.spec(pairs);
    int const rank = (2 * j.nodes[1] + 2) * j.nodes[2] + 2;
    std::vector<double> times;
    std::size_t descriptors = 0;
    for (int t = 0; t < turns; ++t) {
        auto const begin = ticks();
        auto const p = sode::internal::build_halo(spec, rank);
        times.push_back(rate.us(begin, ticks()));
        descriptors = p.descriptors.size();
    }
    fmt::print("{:>7} ranks, {:<38} {:8.0f} us   {} descriptors\n", spec.machines.ranks(), name, median(times), descriptors);
}

} // namespace

int main(int argc, char** argv) {
    int turns = 25;
    CLI::App app{"What planning costs a rank of a large job"};
    app.add_option("--turns", turns)->check(CLI::PositiveNumber)->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    for (auto const& n : {std::array{10, 10, 10}, std::array{20, 20, 26}, std::array{40, 50, 50}}) {
        job const blocks{n, true}, lines{n, false};
        measure(blocks, "a message for each pair of ranks", true, turns);
        measure(blocks, "a message for each pair of machines", false, turns);
        measure(lines, "ranks laid out by machine, pairs", true, turns);
        measure(lines, "ranks laid out by machine, machines", false, turns);
    }
    return 0;
}
