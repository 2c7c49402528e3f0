// SPDX-License-Identifier: Apache-2.0
// Collectives, planned once, against the MPI that started the ranks: its blocking, nonblocking and persistent forms. What is given
// changes before each one, and every result is compared.
//
//     mpirun -n 2 bench_collectives_openmpi --limits
//     mpirun -n 2 env LD_PRELOAD=libsode-interpose-openmpi.so bench_collectives_openmpi --layer
#include "collectives/limits.hpp"
#include "collectives/ours.hpp"
#include "collectives/overlap.hpp"
#include "collectives/rivals.hpp"
#include "collectives/steps.hpp"
#include "support/limit.hpp"
#include "support/mpi_world.hpp"
#include "support/report.hpp"

#include <sode/mpi.hpp>
#include <sode/sode.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

namespace {

using namespace sode::internal::bench;

struct options {
    int turns = 10;
    std::vector<std::string> only;
    std::vector<std::size_t> sizes{8, 64, 1024, 4096, 16384, 65536, 262144, 1 << 20, 8 << 20};
    std::size_t most = std::size_t{4} << 30;
    bool layer = false, limits = false, steps = false, overlap = false, check = false;
    std::string engine = "inline";
    std::string name, setup = "default";
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

/// Of all ranks and competitors together, at most.
std::size_t bytes_needed(collective_case const& c, int ranks) {
    constexpr std::size_t competitors = 9;
    constexpr int root = collective_case::root;
    return (c.given(root, ranks) + c.got(root, ranks)) * sizeof(long) * static_cast<std::size_t>(ranks) * competitors;
}

std::string label(options const& o) {
    return !o.name.empty() ? o.name : o.layer ? "collectives-layer" : "collectives";
}

class contest {
public:
    contest(mpi_world const& world, options const& o)
        : world_(world), o_(o), lines_(world.communicator(), world.rank() == 0 ? control::bytes(world.size()) : 0),
          shared_(lines_.of(0), world.rank(), world.size(), static_cast<int>(std::thread::hardware_concurrency()) < world.size()),
          race_(shared_, rate_, false), report_{label(o), mpi_world::library(), o.setup, world.size(), {}, {}} {
        // A program under the layer is a plain MPI program.
        if (!o.layer) rt_.emplace(std::make_unique<sode::mpi_bootstrap>(world.communicator()));
        if (o.limits) report_.limits = collective_limit_names();
    }

    void run(collective_case const& c) {
        if (bytes_needed(c, world_.size()) > o_.most) {
            if (world_.rank() == 0) fmt::print("{} needs too much memory (--most), and is left out\n", c.name());
            return;
        }
        measured_case measured{c.name(), {}, {{"bytes", static_cast<double>(c.elements * sizeof(long))}}};
        auto const all = competitors(c);
        if (o_.check) {
            for (auto const& s : all)
                if (!is_limit(*s)) static_cast<void>(parts(*s));
            return;
        }
        for (auto const& s : all) warm_up(*s);
        std::vector<int> rounds;
        for (auto const& s : all) rounds.push_back(race_.block_rounds(*s));
        for (int turn = 0; turn < o_.turns; ++turn)
            for (std::size_t i = 0; i < all.size(); ++i) {
                std::size_t const k = (i + static_cast<std::size_t>(turn)) % all.size(); // nobody is always measured after the same
                auto& s = *all[k];
                auto& block = measured.samples.emplace_back(sample{turn, s.name(), race_.block(s, rounds[k])});
                if (!is_limit(s)) block.parts = parts(s);
            }
        report_.cases.push_back(std::move(measured));
    }

    void tell() {
        if (race_.wrong() != 0 || shared_.sum(static_cast<double>(wrong_)) != 0)
            throw std::runtime_error{"timed collectives delivered wrong data"};
        if (world_.rank() != 0 || o_.check) return;
        fmt::print("{}", report_.table());
        if (!o_.json.empty()) std::ofstream{o_.json} << report_.json() << '\n';
    }

private:
    using subjects = std::vector<std::unique_ptr<collective_subject>>;

    [[nodiscard]] sample_parts parts(collective_subject& s) {
        auto told = o_.steps ? measured_steps(s, rate_, shared_, wrong_) : sample_parts{};
        if (o_.overlap)
            for (auto& part : measured_overlap(s, rate_, shared_, wrong_)) told.push_back(std::move(part));
        return told;
    }

    [[nodiscard]] static bool is_limit(subject const& s) { return s.name().starts_with(limit_prefix); }

    /// Those that deliver what they must. Some MPIs' persistent collectives do not, from the second start on.
    [[nodiscard]] subjects competitors(collective_case const& c) {
        subjects all = o_.layer ? mpi_collectives(world_.communicator(), c, true) : our_collectives(*rt_, c);
        auto const take = [&](subjects more) { std::ranges::move(more, std::back_inserter(all)); };
        if (report_.ours.empty())
            for (auto const& s : all) report_.ours.push_back(s->name());
        take(mpi_collectives(world_.communicator(), c, false));
        if (o_.limits && rt_) take(collective_limits(*rt_, c, shared_.yields()));
        std::erase_if(all, [&](auto const& s) {
            if (race_.verify(*s, 4) == 0) return false;
            if (s->name() != "persistent") throw std::runtime_error{c.name() + ": " + s->name() + " delivers wrong data"};
            if (world_.rank() == 0) fmt::print("{}: {} delivers wrong data, and is left out\n", c.name(), s->name());
            return true;
        });
        return all;
    }

    /// The layer first counts calls, then tries which way is faster. About nonblocking ones ranks agree in blocking ones.
    void warm_up(collective_subject& s) {
        constexpr int calls_until_tried = 160, calls_until_agreed = 16;
        if (!s.name().starts_with(layer_prefix)) return;
        for (int i = 0; i < calls_until_tried; ++i) {
            if (i % calls_until_agreed == 0) MPI_Barrier(world_.communicator());
            s.exchange();
        }
        shared_.barrier();
    }

    mpi_world const& world_;
    options const& o_;
    shared_window lines_;
    control shared_;
    tick_rate rate_;
    race race_;
    report report_;
    std::optional<sode::runtime> rt_;
    long wrong_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    mpi_world const world{argc, argv};
    options o;
    CLI::App app{"Collectives, planned once: ours and MPI's, side by side"};
    app.add_option("--turns", o.turns, "Blocks of each")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--only", o.only, "Operations: barrier, bcast, …")->delimiter(',');
    app.add_option("--sizes", o.sizes, "Bytes of a rank")->delimiter(',')->capture_default_str();
    app.add_option("--most", o.most, "Leave out what needs more bytes of memory, all ranks and competitors together")
        ->capture_default_str();
    app.add_flag("--limits", o.limits, "Bare flags and copies as well, which nothing can beat");
    app.add_flag("--steps", o.steps, "The time of init, start, wait and free, each by itself, as well");
    app.add_flag("--overlap", o.overlap, "How much work between start and wait hides, as well: needs two cores a rank to say much");
    app.add_flag("--check", o.check, "Only compare results, which is always done");
    app.add_flag("--layer", o.layer, "MPI's calls through Sode's layer, which is loaded, against the same calls past it");
    app.add_option("--engine", o.engine, "Who runs ours (SODE_ENGINE)")->capture_default_str();
    app.add_option("--name", o.name, "Of the program in the results");
    app.add_option("--setup", o.setup, "A label for the results");
    app.add_option("--json", o.json, "Write every sample to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        setenv("SODE_ENGINE", o.engine.c_str(), 1);
        contest race{world, o};
        for (auto const& c : cases(o)) race.run(c);
        race.tell();
        return 0;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_collectives, rank {}: {}\n", world.rank(), e.what());
        std::fflush(nullptr);
        MPI_Abort(world.communicator(), 2);
    }
    return 2;
}
