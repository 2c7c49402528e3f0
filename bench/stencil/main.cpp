// SPDX-License-Identifier: Apache-2.0
// Laplace and Himeno: Sode's ranks against plain C, by turns in one job. On one rank against the serial kernel, on several against
// as many threads of one process with plain shared arrays.
#include "stencil/bandwidth.hpp"
#include "stencil/contest.hpp"
#include "stencil/one_rank.hpp"
#include "support/fork_team.hpp"
#include "support/report.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>

namespace {

using namespace sode::internal::bench;
using sode::runtime;

struct options {
    std::string problem = "laplace";
    long n = 1024;
    int ranks = 1;
    int pairs = 10;
    int steps = 0;
    bool alone = false;
    bool ways = false;
    bool limits = false;
    bool threads = false;
    std::vector<int> tiles;
    int first = 2;
    std::string setup = "default";
    std::string json;
};

void run(options const& o) {
    run_forked(o.ranks, [&o](fork_rank& self) {
        if (!o.alone && static_cast<std::size_t>(o.ranks) > self.cores().size())
            throw std::invalid_argument{
                fmt::format("{} ranks need a core each ({} here) to be compared with threads", o.ranks, self.cores().size())};
        bool const laplace = o.problem == "laplace";
        problem_size const size{o.n, o.n};
        runtime rt{self.join()};
        contest race{self.shared(), self.gates()};
        auto const ours = [&](runtime& job, our_way how) {
            return laplace ? our_laplace(job, size, how) : our_himeno(job, size, how);
        };
        auto const add = [&](char const* name, our_way how) {
            race.add({name, 1, ours(rt, how), true, at_most_at_a_time(how.tiles)});
        };
        add("sode", {});
        for (int const k : o.tiles) add(k == 0 ? "tiles" : fmt::format("{} steps", k).c_str(), {.tiles = k});
        if (o.ways) {
            add("first halos, then all", {.overlap = false});
            add("rows cut", {.cut_rows = true});
            add("rows cut, first halos", {.overlap = false, .cut_rows = true});
        }
        std::size_t const threads = std::min(static_cast<std::size_t>(o.ranks), self.cores().size());
        std::vector<int> const cores(self.cores().begin(), self.cores().begin() + static_cast<std::ptrdiff_t>(threads));
        auto const add_one_rank = [&](std::string name, std::vector<int> const& on) {
            std::unique_ptr<solver> one;
            if (self.rank() == 0) one = on_one_rank(on, [&](runtime& job) { return ours(job, {}); });
            race.add({std::move(name), o.ranks, std::move(one)});
        };
        if (o.threads) {
            add_one_rank(fmt::format("1 rank of {} threads", threads), cores);
            add_one_rank("1 rank of 1 thread", {cores.front()});
        }
        if (!o.alone) {
            std::unique_ptr<solver> plain;
            if (self.rank() == 0) plain = laplace ? plain_laplace_on(cores, size) : plain_himeno_on(cores, size);
            race.add({"plain", o.ranks, std::move(plain)});
        }
        if (o.limits && laplace) add_laplace_limits(race, rt, size);
        measured_case measured{fmt::format("{} {}{}", o.problem, o.n, o.alone ? " alone" : ""),
                               race.run(o.pairs, o.steps, o.first)};
        report const result{"stencil", "", o.setup, o.ranks, {"sode"}, {std::move(measured)}, {}, race.limits()};
        if (self.rank() != 0) return;
        fmt::print("{}", result.table());
        if (!o.json.empty()) std::ofstream{o.json} << result.json() << '\n';
    });
}

} // namespace

int main(int argc, char** argv) {
    options o;
    CLI::App app{"Laplace and Himeno: ours and plain C, side by side"};
    app.add_option("problem", o.problem)->check(CLI::IsMember({"laplace", "himeno"}))->capture_default_str();
    app.add_option("-n", o.n, "Plate n x n, or n x n x 2n cells (himeno: 32 XS, 64 S, 128 M)")
        ->check(CLI::Range(4, 1 << 16))
        ->capture_default_str();
    app.add_option("--ranks", o.ranks)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--pairs", o.pairs, "Blocks of each")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--steps", o.steps, "Steps of a block (default: about 20 ms, and four passes of each)");
    app.add_flag("--alone", o.alone, "Ours only");
    app.add_flag("--ways", o.ways, "Ours also without overlap, and with the contiguous dimension cut");
    app.add_flag("--limits", o.limits, "Laplace: copies of the plate as well, which no solver can beat");
    app.add_flag("--threads", o.threads, "Ours also on one rank, with as many threads and with one");
    app.add_option("--tiles", o.tiles, "Ours also with so many steps at a time, each; 0: as many as it chooses")->delimiter(',');
    app.add_option("--first", o.first, "Steps of each before anything is measured")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--setup", o.setup, "A label for the results");
    app.add_option("--json", o.json, "Write every sample to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        run(o);
        return 0;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_stencil: {}\n", e.what());
        return 1;
    }
}
