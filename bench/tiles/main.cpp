// SPDX-License-Identifier: Apache-2.0
// Time tiles: several steps at a time against single steps, by turns in one job, the results compared bit for bit.
#include "stencil/contest.hpp"
#include "support/fork_team.hpp"
#include "support/report.hpp"
#include "tiles/from_cache.hpp"
#include "tiles/problems.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fstream>
#include <memory>

namespace {

using namespace sode::internal::bench;
using sode::runtime;

struct options {
    std::string problem = "heat";
    long n = 256;
    bool weak = false;
    int ranks = 2;
    std::vector<int> tiles{0, 2, 4, 8};
    int pairs = 10;
    int steps = 0;
    int first = 150;
    bool limits = false;
    bool explain = false;
    std::string setup = "default";
    std::string json;
};

void run(options const& o) {
    run_forked(o.ranks, [&o](fork_rank& self) {
        problem_size const size{o.weak ? o.n * o.ranks : o.n, o.n};
        runtime rt{self.join()};
        contest race{self.shared(), self.gates()};
        race.add({"single steps", 1, tiled_problem(o.problem, rt, size, 1)});
        std::vector<solver*> tiled;
        for (int const k : o.tiles) {
            auto one = tiled_problem(o.problem, rt, size, k);
            tiled.push_back(one.get());
            race.add({k == 0 ? "chosen" : fmt::format("{} steps", k), 1, std::move(one), true, at_most_at_a_time(k)});
        }
        if (o.limits) add_limit_from_cache(race, o.ranks, o.problem, size);
        measured_case measured{fmt::format("{} {}{}", o.problem, o.n, o.weak ? " weak" : ""), race.run(o.pairs, o.steps, o.first)};
        report const result{"tiles", "", o.setup, o.ranks, {"chosen"}, {std::move(measured)}, {}, race.limits()};
        if (self.rank() != 0) return;
        if (o.explain)
            for (auto const* one : tiled) fmt::print("{}\n", one->explain());
        fmt::print("{}", result.table());
        if (!o.json.empty()) std::ofstream{o.json} << result.json() << '\n';
    });
}

} // namespace

int main(int argc, char** argv) {
    options o;
    CLI::App app{"Time tiles: several steps at a time and single steps, side by side"};
    app.add_option("problem", o.problem)->check(CLI::IsMember(tiled_problems()))->capture_default_str();
    app.add_option("-n", o.n, "Points in each dimension (himeno: n x n x 2n)")
        ->check(CLI::Range(8, 1 << 15))
        ->capture_default_str();
    app.add_flag("--weak", o.weak, "n layers for each rank instead of n in all");
    app.add_option("--ranks", o.ranks)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--tiles", o.tiles, "Steps at a time, each; 0: as many as it chooses")->delimiter(',')->capture_default_str();
    app.add_option("--pairs", o.pairs, "Blocks of each")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--steps", o.steps, "Steps of a block (default: about 20 ms, and four passes of each)")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--first", o.first, "Steps of each before anything is measured, in which it chooses")->capture_default_str();
    app.add_flag("--limits", o.limits, "The same loop over a plate that stays in the cache as well, which no tile can beat");
    app.add_flag("--explain", o.explain, "What each march chose");
    app.add_option("--setup", o.setup, "A label for the results");
    app.add_option("--json", o.json, "Write every sample to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        run(o);
        return 0;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_tiles: {}\n", e.what());
        return 1;
    }
}
