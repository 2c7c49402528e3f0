// SPDX-License-Identifier: Apache-2.0
// What one address space is worth between two ranks, against the ways of processes: 1 MiB by both sides at once, by
// process_vm_readv and through a ring; strided faces on huge pages and on those of a segment; Sode's exchanges of arrays that lie
// in the memory of tasks and in a segment.
//
//     sode run --space=tasks -n 2 bench_tasks        tasks
//     bench_tasks                                    two threads
//     sode run -n 2 bench_tasks                      processes: the ways of processes only
#include "base/thread_team.hpp"
#include "support/cores.hpp"
#include "support/report.hpp"
#include "tasks/halos.hpp"
#include "tasks/transfer.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>

namespace {

using namespace sode::internal::bench;

struct options {
    int turns = 10;
    std::vector<std::string> parts{"moves", "faces", "halos"};
    std::string setup;
    std::string json;
};

struct shape {
    std::int64_t count, pitch;
};
constexpr std::array<shape, 3> face_shapes{{{4096, 1 << 9}, {16384, 1 << 10}, {16384, 1 << 12}}};

constexpr std::array halo_cases{"3d16_x", "3d16_y", "3d16_z", "3d64_x", "3d64_y", "3d64_z", "3d128_z", "2d1024_x", "2d1024_z"};

/// The case, by turns; every transfer is compared.
template <class Subject>
measured_case measure(std::string const& name, std::vector<std::unique_ptr<Subject>> const& all, race& r, options const& o) {
    measured_case result{name, {}};
    std::map<subject*, int> rounds;
    for (auto const& c : all) {
        if (r.verify(*c, 3) != 0) throw std::runtime_error{c->name() + " delivers wrong data"};
        rounds[c.get()] = r.block_rounds(*c);
    }
    for (int turn = 0; turn < o.turns; ++turn)
        for (std::size_t i = 0; i < all.size(); ++i) {
            auto& c = *all[(i + static_cast<std::size_t>(turn)) % all.size()];
            result.samples.push_back({turn, c.name(), r.block(c, rounds[&c])});
        }
    if (r.wrong() != 0) throw std::runtime_error{"timed transfers delivered wrong data"};
    return result;
}

void run_rank(sode::bootstrap& boot, options const& o) {
    pair p{boot};
    tick_rate const rate;
    race r{p.shared(), rate, false};
    report result{"tasks", "", o.setup.empty() ? p.started_as() : o.setup, 2, {"both", "huge", "array, tasks", "buffered, tasks"},
                  {}};
    result.limits = {"limit:memcpy", "limit:kernels", "limit:receiver"};
    auto const wanted = [&](char const* part) { return std::find(o.parts.begin(), o.parts.end(), part) != o.parts.end(); };
    constexpr std::size_t mebibyte = std::size_t{1} << 20;
    if (wanted("moves")) {
        result.cases.push_back(measure("1 MiB", moves(p, mebibyte, source_data::rewritten, pages::usual), r, o));
        result.cases.push_back(measure("1 MiB, huge", moves(p, mebibyte, source_data::rewritten, pages::huge), r, o));
        result.cases.push_back(measure("1 MiB, kept", moves(p, mebibyte, source_data::kept, pages::usual), r, o));
    }
    if (wanted("faces"))
        for (auto const& s : face_shapes)
            result.cases.push_back(
                measure(fmt::format("face of {}, pitch {}", s.count, s.pitch), faces(p, s.count, s.pitch), r, o));
    if (wanted("halos") && !boot.one_process()) {
        two_memories memories{boot, p.reachable()};
        for (auto const* const name : halo_cases) result.cases.push_back(measure(name, memories.halos(name), r, o));
    }
    if (p.rank() != 0) return;
    std::cout << result.table();
    if (!p.reachable())
        std::cout << "the ranks cannot load each other's memory: start them with --space=tasks, or alone as two threads\n";
    std::cout.flush();
    if (!o.json.empty()) std::ofstream{o.json} << result.json() << '\n';
}

} // namespace

int main(int argc, char** argv) {
    options o;
    CLI::App app{"What one address space is worth"};
    app.add_option("--turns", o.turns, "Blocks of each")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--parts", o.parts, "moves: 1 MiB; faces; halos: Sode's exchanges, not of threads")
        ->delimiter(',')
        ->check(CLI::IsMember({"moves", "faces", "halos"}))
        ->capture_default_str();
    app.add_option("--setup", o.setup, "A label for the results (default: how the ranks were started)");
    app.add_option("--json", o.json, "Write every sample to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        auto const boot = sode::internal::make_bootstrap();
        if (boot->size() > 1) {
            run_rank(*boot, o);
            return 0;
        }
        auto const cores = usable_cores();
        sode::internal::run_as_threads(2, [&](std::unique_ptr<sode::bootstrap> mine) {
            bind_to_core(cores[static_cast<std::size_t>(mine->rank()) % cores.size()]);
            run_rank(*mine, o);
        });
        return 0;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_tasks: {}\n", e.what());
        return 2;
    }
}
