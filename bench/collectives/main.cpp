// SPDX-License-Identifier: Apache-2.0
// Collectives, planned once, against the MPI that started the ranks: its blocking, nonblocking and persistent forms. What is given
// changes before each one, and every result is compared.
//
//     mpirun -n 2 bench_collectives_openmpi
#include "collectives/ours.hpp"
#include "collectives/rivals.hpp"
#include "support/mpi_world.hpp"
#include "support/report.hpp"

#include <sode/mpi.hpp>
#include <sode/sode.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <thread>

namespace {

using namespace sode::internal::bench;

struct options {
    int turns = 10;
    std::vector<std::string> only;
    std::vector<std::size_t> sizes{8, 64, 1024, 8192, 65536, 1 << 20, 8 << 20};
    std::string setup = "default";
    std::string json;
};

std::vector<collective_case> cases(options const& o) {
    std::vector<collective_case> all;
    for (auto const op : operations()) {
        if (!o.only.empty() && std::ranges::find(o.only, op) == o.only.end()) continue;
        if (op == "barrier") all.push_back({std::string{op}, 0});
        for (auto const bytes : o.sizes)
            if (op != "barrier") all.push_back({std::string{op}, std::max<std::size_t>(bytes / sizeof(long), 1)});
    }
    return all;
}

void run(mpi_world const& world, options const& o) {
    auto const p = world.size();
    shared_window lines{world.communicator(), world.rank() == 0 ? control::bytes(p) : 0};
    control shared{lines.of(0), world.rank(), p, static_cast<int>(std::thread::hardware_concurrency()) < p};
    tick_rate const rate;
    race r{shared, rate, false};
    sode::runtime rt{std::make_unique<sode::mpi_bootstrap>(world.communicator())};
    report result{"collectives", mpi_world::library(), o.setup, p, {"own", "shared"}, {}};
    for (auto const& c : cases(o)) {
        auto& measured =
            result.cases.emplace_back(measured_case{c.name(), {}, {{"bytes", static_cast<double>(c.elements * sizeof(long))}}});
        auto subjects = our_collectives(rt, c);
        for (auto& rival : mpi_collectives(world.communicator(), c)) subjects.push_back(std::move(rival));
        std::map<subject*, int> rounds;
        std::erase_if(subjects, [&](auto const& s) {
            if (r.verify(*s, 4) == 0) return false;
            bool const ours = s->name() == "own" || s->name() == "shared";
            if (ours) throw std::runtime_error{c.name() + ": " + s->name() + " delivers wrong data"};
            if (world.rank() == 0) fmt::print("{}: {} delivers wrong data, and is left out\n", c.name(), s->name());
            return true;
        });
        for (auto const& s : subjects) rounds[s.get()] = r.block_rounds(*s);
        for (int turn = 0; turn < o.turns; ++turn)
            for (std::size_t i = 0; i < subjects.size(); ++i) {
                auto& s = *subjects[(i + static_cast<std::size_t>(turn)) % subjects.size()];
                measured.samples.push_back({turn, s.name(), r.block(s, rounds[&s])});
            }
    }
    if (r.wrong() != 0) throw std::runtime_error{"timed collectives delivered wrong data"};
    if (world.rank() != 0) return;
    fmt::print("{}", result.table());
    if (!o.json.empty()) std::ofstream{o.json} << result.json() << '\n';
}

} // namespace

int main(int argc, char** argv) {
    mpi_world const world{argc, argv};
    options o;
    CLI::App app{"Collectives, planned once: ours and MPI's, side by side"};
    app.add_option("--turns", o.turns, "Blocks of each")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--only", o.only, "Operations: barrier, bcast, …");
    app.add_option("--sizes", o.sizes, "Bytes of a rank")->capture_default_str();
    app.add_option("--setup", o.setup, "A label for the results");
    app.add_option("--json", o.json, "Write every sample to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        run(world, o);
        return 0;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_collectives, rank {}: {}\n", world.rank(), e.what());
        std::fflush(nullptr);
        MPI_Abort(world.communicator(), 2);
    }
    return 2;
}
