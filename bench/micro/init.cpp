// SPDX-License-Identifier: Apache-2.0
// How long reflect_init takes once the peers are met: a periodic 3-d exchange with all 26 directions, on two ranks.
#include "support/fork_team.hpp"
#include "support/report.hpp"

#include <sode/sode.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fstream>

namespace {

using namespace sode::internal::bench;

measured_case measure(fork_rank& self, int turns) {
    sode::runtime rt{self.join()};
    tick_rate const rate;
    sode::grid<3> const g{rt, {64 * self.ranks(), 64, 64}};
    sode::array<double, 3> u{g, sode::shadow{1}};
    sode::reflect_options options;
    options.corners = true;
    options.periodic = true;
    auto& shared = self.shared();
    measured_case result{"3d64, 26 neighbours", {}};
    for (int t = -1; t < turns; ++t) {
        shared.barrier();
        std::uint64_t const begin = ticks();
        auto halo = sode::reflect_init(options, u);
        double const us = shared.maximum(rate.us(begin, ticks()));
        halo();
        // The first one meets the peers.
        if (t >= 0) result.samples.push_back({t, "reflect_init", {regime::unprobed, 0, us, us}});
    }
    return result;
}

} // namespace

int main(int argc, char** argv) {
    int turns = 25, ranks = 2;
    std::string setup = "default", json;
    CLI::App app{"The cost of planning an exchange"};
    app.add_option("--turns", turns)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--ranks", ranks)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--setup", setup, "A label for the results");
    app.add_option("--json", json, "Write every sample to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        run_forked(ranks, [&](fork_rank& self) {
            report result{"init", "", setup, self.ranks(), {}, {measure(self, turns)}};
            if (self.rank() != 0) return;
            fmt::print("{}", result.table());
            if (!json.empty()) std::ofstream{json} << result.json() << '\n';
        });
        return 0;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_init: {}\n", e.what());
        return 1;
    }
}
