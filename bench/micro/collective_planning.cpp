// SPDX-License-Identifier: Apache-2.0
// What planning a collective costs a rank of its own: the algorithm is chosen and the rank's steps are built, in this process
// alone, for jobs of so many ranks on machines of so many. Nothing is communicated.
#include "collective/catalogue.hpp"
#include "collective/leaders.hpp"
#include "plan/combiners.hpp"
#include "support/clock.hpp"
#include "support/statistics.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace {

using namespace sode::internal;
using namespace sode::internal::bench;

collective_terms terms_of(collective_kind kind, int ranks, int each, std::int64_t bytes) {
    std::vector<int> machine_of;
    for (int r = 0; r < ranks; ++r) machine_of.push_back(r / each);
    collective_terms t;
    t.machines = machine_map{machine_of};
    t.kind = kind;
    if (kind == collective_kind::broadcast || kind == collective_kind::reduce) t.root = 0;
    if (kind != collective_kind::barrier)
        t.parts = {{bytes, kind == collective_kind::broadcast ? 0 : combiner(reduction::sum, element::i64)}};
    if (kind == collective_kind::reduce_scatter)
        for (int r = 0; r < ranks; ++r) t.dealt.push_back(bytes / 8 * (r + 1) / ranks * 8 - bytes / 8 * r / ranks * 8);
    return t;
}

void measure(collective_terms const& t, int each, int turns, tick_rate const& rate) {
    double chosen = 0, slowest = 0;
    std::string_view by;
    int leaders = 1;
    // The first rank leads its machine, and is the root; the last one of a machine in the middle does neither.
    for (int const rank : {0, t.ranks() / 2 + each - 1}) {
        std::vector<double> choices, all;
        for (int turn = 0; turn < turns; ++turn) {
            auto const begin = ticks();
            auto const found = choose_algorithm(t, {});
            auto const built = ticks();
            auto shared = t;
            shared.leaders = found.leaders;
            auto const p = build_by_leaders(*found.best, shared, std::min(rank, t.ranks() - 1));
            auto const end = ticks();
            choices.push_back(rate.us(begin, built));
            all.push_back(rate.us(begin, end));
            by = found.best->name(), leaders = found.leaders;
        }
        chosen = std::max(chosen, median(choices));
        slowest = std::max(slowest, median(all));
    }
    fmt::print("{:>3} machines of {:<2}  {:<26} {:<24} {:>2} leaders {:8.1f} us, to choose {:6.1f}\n", t.machines.machines(), each,
               t.title(), by, leaders, slowest, chosen);
}

} // namespace

int main(int argc, char** argv) {
    int turns = 101;
    int ranks = 64;
    std::vector<int> machines;
    std::string only;
    CLI::App app{"What planning a collective costs a rank of its own"};
    app.add_option("--turns", turns)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--ranks", ranks)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--machines", machines, "Ranks of each machine")->delimiter(',');
    app.add_option("--only", only, "An operation: barrier, broadcast, …");
    CLI11_PARSE(app, argc, argv);
    tick_rate const rate;
    if (machines.empty())
        for (int each = ranks; each > 0; each /= 8) machines.push_back(each);
    for (int const each : machines)
        for (int kind = 0; kind <= static_cast<int>(collective_kind::exscan); ++kind)
            for (std::int64_t const bytes : {std::int64_t{8}, std::int64_t{4096}, std::int64_t{65536}}) {
                auto const what = static_cast<collective_kind>(kind);
                if (!only.empty() && only != to_string(what)) continue;
                if (what == collective_kind::barrier && bytes > 8) continue;
                if (what == collective_kind::reduce_scatter && bytes < 8 * ranks) continue;
                measure(terms_of(what, ranks, each, bytes), each, turns, rate);
            }
    return 0;
}
